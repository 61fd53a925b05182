// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
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

/// How many schedules a test plays of each of its programs, and the seed of the first one; who enumerates them stops no
/// earlier.
inline std::uint64_t schedules(std::uint64_t usual) { return variable_or("SHEAF_SCHEDULES", usual); }
inline std::uint64_t first_schedule() { return variable_or("SHEAF_TEST_FIRST", 1); }
inline std::uint64_t at_least(std::uint64_t usual) { return std::max(usual, schedules(0)); }

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

/// Small buffers and few of them, some of the time.
inline void tighten(sheaf::options& o, dice& random) {
  o.ring_slots = random.pick({1u, 2u, 16u});
  o.window = random.pick({1u, 2u, 4u});
  o.buffer_bytes = random.pick({std::size_t{128}, std::size_t{256}, std::size_t{1024}});
  o.first_flush_bytes = random.pick({std::size_t{1}, std::size_t{100}});
  o.reserve_bytes = random.pick({std::size_t{1}, std::size_t{1} << 20});
  o.poll_every = random.pick({1u, 3u, 256u});
}

/// The job with its locations on hosts and in processes, and with other sizes of buffers within a host.
inline sheaf::options placed_somehow(sheaf::options job, std::uint64_t kind) {
  dice random(kind + 91);
  job.hosts = static_cast<unsigned>(random.below(4));
  job.threads = random.pick({1u, 1u, 2u, 3u});
  job.near_buffer_bytes = random.pick({std::size_t{0}, std::size_t{128}, std::size_t{512}});
  job.near_first_flush_bytes = random.pick({std::size_t{0}, std::size_t{1}, std::size_t{200}});
  return job;
}

/// Runs `make(job, seed)` in the simulator for as many seeds as SHEAF_SCHEDULES says, else `usual`, from
/// SHEAF_TEST_FIRST on. `settings(k)` gives `kinds` different settings, placed somehow; a seed's is that of seed %
/// kinds. The body has run(endpoint&) and check(). Stops at the first failure and says how to have that job again.
template <class Settings, class Make>
void run_seeds(char const* test, std::uint64_t usual, std::uint64_t kinds, Settings settings, Make make) {
  std::uint64_t const first = first_schedule(), count = schedules(usual);
  std::map<std::uint64_t, std::pair<sheaf::options, std::unique_ptr<sheaf::simulator>>> simulators;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    auto& [job, sim] = simulators[seed % kinds];
    if (sim == nullptr) {
      sheaf::simulation s;
      s.job = settings(seed % kinds);
      s.job.transport = sheaf::transport_kind::sim;
      s.job.stack_bytes = 256 << 10;
      s.step_limit = 2'000'000;
      s.job = job = placed_somehow(s.job, seed % kinds).resolved();
      sim = std::make_unique<sheaf::simulator>(s);
    }
    auto body = make(job, seed);
    sheaf::random_schedule decisions(seed);
    auto const result = sim->run(decisions, body);
    std::string const problem = body.check();
    ASSERT_TRUE(result.text.empty() && problem.empty())
        << problem << "\n"
        << result.text << "\n"
        << "replay: SHEAF_TEST_FIRST=" << seed << " SHEAF_SCHEDULES=1 test_simulation --gtest_filter=" << test;
  }
}

}  // namespace sheaf_test
