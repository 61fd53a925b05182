// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace sheaf::tool {

/// Nanoseconds that one `operation()` takes: `repeats` samples, each the mean of `count` calls.
template <class Operation>
std::vector<double> sample(int repeats, std::uint64_t count, Operation const& operation) {
  using clock = std::chrono::steady_clock;
  std::vector<double> all;
  for (int i = 0; i < repeats; ++i) {
    auto const start = clock::now();
    for (std::uint64_t n = 0; n < count; ++n) operation();
    std::chrono::duration<double, std::nano> const took = clock::now() - start;
    all.push_back(took.count() / static_cast<double>(count));
  }
  return all;
}

/// How many operations the next run has, so that it takes 5 ms, after one of `count` that took `ns`: at most twice as
/// many, and at least one.
inline std::uint64_t next_run(std::uint64_t count, double ns) {
  constexpr double run_ns = 5e6;
  return std::max(static_cast<std::uint64_t>(static_cast<double>(count) * std::min(run_ns / ns, 2.0)),
                  std::uint64_t{1});
}

/// Nanoseconds that one operation takes: `repeats` samples, after one that does not count. `run(n)` makes n operations;
/// a sample is as many runs as fill a tenth of a second, each at the pace of the one before: where cores are shared, an
/// operation may from one moment to the next take a thousand times as long, and a number of them that was fixed in
/// advance would then last for minutes. `agree(n)`: what all who take part run next, 0 for the end of a sample; the
/// first process's n in a job, n itself elsewhere.
template <class Agree, class Run>
std::vector<double> paced_samples(int repeats, std::uint64_t first, Agree const& agree, Run const& run) {
  using clock = std::chrono::steady_clock;
  using nanoseconds = std::chrono::duration<double, std::nano>;
  constexpr nanoseconds sample_ns{1e8};
  std::uint64_t next = first;
  std::vector<double> all;
  for (int i = 0; i <= repeats; ++i) {
    auto const start = clock::now();
    double took = 0, count = 0;
    while (std::uint64_t const n = agree(count == 0 || clock::now() - start < sample_ns ? next : 0)) {
      auto const before = clock::now();
      run(n);
      double const ns = std::max(nanoseconds(clock::now() - before).count(), 1.0);
      took += ns;
      count += static_cast<double>(n);
      next = next_run(n, ns);
    }
    if (i > 0) all.push_back(took / count);
  }
  return all;
}

/// The same of one thread.
template <class Operation>
std::vector<double> paced_samples(int repeats, Operation const& operation) {
  return paced_samples(
      repeats, 20, [](std::uint64_t n) { return n; },
      [&](std::uint64_t count) {
        for (std::uint64_t n = 0; n < count; ++n) operation();
      });
}

/// `amount` / each: rates from times.
inline std::vector<double> each_over(std::vector<double> const& times, double amount) {
  std::vector<double> all;
  for (double const each : times) all.push_back(amount / each);
  return all;
}

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  std::size_t const middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The distance of the quartiles, in hundredths of the median.
inline double spread(std::vector<double> values) {
  double const middle = median(values);
  if (values.size() < 2 || middle == 0) return 0;
  std::sort(values.begin(), values.end());
  std::size_t const quarter = values.size() / 4;
  return 100 * (values[values.size() - 1 - quarter] - values[quarter]) / middle;
}

}  // namespace sheaf::tool
