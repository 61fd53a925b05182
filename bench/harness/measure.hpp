// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What every measuring program shares: command line, clock, pinning, random stream, and its one line of result.
/// The protocol these programs follow is in bench/README.md. Peers use nothing of Sheaf, so Sheaf is not included here.
#pragma once

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf_bench {

/// Ends the program as a failed measurement: the text goes to stderr and the exit status is 1.
[[noreturn]] inline void fail(std::string const& why) {
  std::fprintf(stderr, "failed: %s\n", why.c_str());
  std::exit(1);
}

/// Fails the program unless `good`. Every measured result passes through this.
inline void check(bool good, std::string const& what) {
  if (!good) fail(what);
}

/// A command line of `--name value` pairs.
class arguments {
 public:
  arguments(int argc, char const* const* argv) : words_(argv + 1, argv + argc) {}

  std::string text(std::string_view name, std::string_view otherwise) const {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (words_[i] == name) return words_[i + 1];
    }
    return std::string(otherwise);
  }

  std::int64_t number(std::string_view name, std::int64_t otherwise) const {
    std::string const value = text(name, std::to_string(otherwise));
    char* end = nullptr;
    std::int64_t const parsed = std::strtoll(value.c_str(), &end, 10);
    check(end != value.c_str() && *end == '\0' && parsed >= 0,
          std::string(name) + " is " + value + "; it must be a whole number from 0");
    return parsed;
  }

  /// How many repetitions to measure: `--reps`, which the driver lowers for a quick look.
  int reps(int otherwise) const { return static_cast<int>(std::max<std::int64_t>(1, number("--reps", otherwise))); }

 private:
  std::vector<std::string> words_;
};

/// Nanoseconds of the monotonic clock.
inline std::int64_t now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// Binds the calling thread to the `index`-th of the cores it may use, counted round. False where the system refuses.
inline bool pin(int index) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  std::vector<int> cores;
  for (int c = 0; c < CPU_SETSIZE; ++c) {
    if (CPU_ISSET(c, &allowed)) cores.push_back(c);
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cores[static_cast<std::size_t>(index) % cores.size()], &one);
  return sched_setaffinity(0, sizeof one, &one) == 0;
}

/// SplitMix64: a counter through a mixer, so that successive values overlap in the pipeline.
class splitmix64 {
 public:
  explicit splitmix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

inline double median(std::vector<double> values) {
  check(!values.empty(), "no samples");
  std::sort(values.begin(), values.end());
  std::size_t const half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Runs `block(repetition)` `warm_up` times for nothing, then `reps` times, and keeps what these return.
template <class Block>
std::vector<double> sample(int warm_up, int reps, Block&& block) {
  std::vector<double> samples;
  for (int r = 0; r < warm_up + reps; ++r) {
    double const value = block(r);
    if (r >= warm_up) samples.push_back(value);
  }
  return samples;
}

/// Nanoseconds that `operation()` takes: the median over `blocks` blocks of `each` calls. A block is shorter than a
/// slice of the scheduler, so that what else runs on the machine disturbs few of them.
template <class Operation>
double ns_each(int blocks, int each, Operation&& operation) {
  std::vector<double> times;
  for (int b = 0; b < blocks; ++b) {
    std::int64_t const start = now_ns();
    for (int i = 0; i < each; ++i) operation();
    times.push_back(static_cast<double>(now_ns() - start) / each);
  }
  return median(times);
}

/// How many round trips of so many bytes make a block of a few hundred microseconds.
inline int trips_of(std::size_t bytes) { return static_cast<int>(std::clamp<std::size_t>(64'000 / bytes, 10, 1000)); }

/// Prints the one line of a program that passed its checks. `extra` holds further members, such as ",\"peer\":12.5".
inline void print_result(std::string_view unit, std::vector<double> const& samples, std::string_view extra = "") {
  std::printf("{\"value\": %.6g, \"unit\": \"%.*s\", \"samples\": [", median(samples), static_cast<int>(unit.size()),
              unit.data());
  for (std::size_t i = 0; i < samples.size(); ++i) std::printf("%s%.6g", i == 0 ? "" : ", ", samples[i]);
  std::printf("], \"check\": \"ok\"%.*s}\n", static_cast<int>(extra.size()), extra.data());
  std::fflush(stdout);
}

}  // namespace sheaf_bench
