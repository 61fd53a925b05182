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

/// The same with as many calls as fill a tenth of a second, up to `most`: where cores are shared a call may take
/// milliseconds. Makes twenty more.
template <class Operation>
std::vector<double> short_samples(int repeats, std::uint64_t most, Operation const& operation) {
  constexpr double sample_ns = 1e8;
  double const each = sample(1, 20, operation)[0];
  double const fitting = std::clamp(sample_ns / std::max(each, 0.1), 1.0, static_cast<double>(most));
  return sample(repeats, static_cast<std::uint64_t>(fitting), operation);
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
