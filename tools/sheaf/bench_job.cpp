// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/bench_job.hpp"

#include <algorithm>

#include "sheaf/bench_time.hpp"
#include "sheaf/sheaf.hpp"
#include "sheaf/std.hpp"

namespace sheaf::tool {
namespace {

class target : public distributed<target> {
 public:
  explicit target(sheaf::team const& on) : distributed(on) {}

  std::uint64_t answer(std::uint64_t n) { return sum_ += n; }
  void add(std::uint64_t n) { sum_ += n; }
  void take(std::vector<std::uint64_t> const& block) { sum_ += block.front() + block.back() + block.size(); }

  std::uint64_t restart() { return std::exchange(sum_, 0); }

 private:
  std::uint64_t sum_ = 0;
};

void check(bool right) {
  if (!right) throw error("sheaf: a result of the measurement is wrong");
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a + b; }

/// Samples of `run(count)`, on location 0, in nanoseconds for each operation; the first run is of `few`.
template <class Operation>
std::vector<double> collective_samples(team const& world, int repeats, std::uint64_t few, Operation const& run) {
  return paced_samples(
      repeats, few, [&](std::uint64_t mine) { return broadcast(world, 0, mine); }, run);
}

std::vector<double> round_trips(team const& world, target& there, int repeats) {
  auto const last = static_cast<std::uint32_t>(world.size() - 1);
  std::uint64_t asked = 0;
  auto samples = collective_samples(world, repeats, 100, [&](std::uint64_t count) {
    for (std::uint64_t i = 0; world.rank() == 0 && i < count; ++i) {
      check(there.sync<&target::answer>(last, std::uint64_t{1}) == ++asked);
    }
    fence(world);
  });
  std::uint64_t const all = broadcast(world, 0, asked);
  check(there.restart() == (world.rank() == last ? all : 0));
  barrier(world);  // who goes on adds to the sums of others
  return samples;
}

std::vector<double> updates(team const& world, target& there, int repeats) {
  std::uint64_t random = world.rank() + 1, sent = 0;
  auto samples = collective_samples(world, repeats, 10'000, [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      there.async<&target::add>(static_cast<std::uint32_t>((random >> 33) % world.size()), std::uint64_t{1});
    }
    sent += count;
    fence(world);
  });
  check(all_reduce(world, there.restart(), plus) == all_reduce(world, sent, plus));
  return each_over(samples, 1000.0);
}

std::vector<double> bulk(team const& world, target& there, int repeats, std::size_t block) {
  std::vector<std::uint64_t> const values(block / 8, 3);
  auto const next = static_cast<std::uint32_t>((world.rank() + 1) % world.size());
  std::uint64_t sent = 0;
  auto samples = collective_samples(world, repeats, 10, [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) there.async<&target::take>(next, values);
    sent += count * (6 + values.size());
    fence(world);
  });
  check(all_reduce(world, there.restart(), plus) == all_reduce(world, sent, plus));
  return each_over(samples, static_cast<double>(block));
}

std::vector<double> fences(team const& world, int repeats) {
  return collective_samples(world, repeats, 20, [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) fence(world);
  });
}

}  // namespace

job_samples measure_job(team world, int repeats, std::size_t block) {
  target there(world);
  job_samples all;
  all.round_trip_ns = round_trips(world, there, repeats);
  all.updates_m = updates(world, there, repeats);
  all.bulk_gb = bulk(world, there, repeats, block);
  all.fence_ns = fences(world, repeats);
  fence(world);
  return world.rank() == 0 ? all : job_samples();
}

}  // namespace sheaf::tool
