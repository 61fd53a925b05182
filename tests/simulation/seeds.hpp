// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "harness/explorer.hpp"

namespace sheaf_test {

inline std::uint64_t variable_or(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Numbers that are the same on every machine.
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1du >> 8;
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  T pick(T const (&of)[N]) {
    return of[below(N)];
  }

 private:
  std::uint64_t state_;
};

/// Runs `make(job, seed)` in the simulator for as many seeds as SHEAF_TEST_SEEDS says, else `usual`, from
/// SHEAF_TEST_FIRST on. `settings(k)` gives `kinds` different settings; a seed's is that of seed % kinds. The body has
/// run(endpoint&) and check(). Stops at the first failure and says how to have that job again.
template <class Settings, class Make>
void run_seeds(char const* test, std::uint64_t usual, std::uint64_t kinds, Settings settings, Make make) {
  std::uint64_t const first = variable_or("SHEAF_TEST_FIRST", 1);
  std::uint64_t const count = variable_or("SHEAF_TEST_SEEDS", usual);
  std::map<std::uint64_t, std::pair<sheaf::options, std::unique_ptr<sheaf::simulator>>> simulators;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    auto& [job, sim] = simulators[seed % kinds];
    if (sim == nullptr) {
      sheaf::simulation s;
      s.job = settings(seed % kinds);
      s.job.transport = sheaf::transport_kind::sim;
      s.job.stack_bytes = 256 << 10;
      s.step_limit = 2'000'000;
      s.hosts = static_cast<unsigned>(seed % 3);  // none told apart, all near, or two hosts
      s.job = job = s.job.resolved();
      sim = std::make_unique<sheaf::simulator>(s);
    }
    auto body = make(job, seed);
    sheaf::random_schedule decisions(seed);
    auto const result = sim->run(decisions, body);
    std::string const problem = body.check();
    ASSERT_TRUE(result.text.empty() && problem.empty())
        << problem << "\n"
        << result.text << "\n"
        << "replay: SHEAF_TEST_FIRST=" << seed << " SHEAF_TEST_SEEDS=1 test_simulation --gtest_filter=" << test;
  }
}

}  // namespace sheaf_test
