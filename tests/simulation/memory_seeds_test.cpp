// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// One-sided memory in random schedules, on one host and on several: what one location does at another is in order
// (invariant 6), and locks go to who asked first. A failure prints the command that has its job again.
#include "sheaf/memory.hpp"

#include <memory>
#include <string>
#include <vector>

#include "memory/ordered_player.hpp"
#include "runtime/job.hpp"
#include "simulation/seeds.hpp"

namespace {

using sheaf_test::dice;
using sheaf_test::run_seeds;

constexpr std::uint64_t kinds = 48;

sheaf::options some_settings(std::uint64_t kind) {
  dice random(kind + 17);
  sheaf::options o;
  o.locations = 1 + static_cast<unsigned>(random.below(6));
  sheaf_test::tighten(o, random);
  return o;
}

/// Runs `Part` on each location; the first problem of any.
template <class Part>
class body final : public sheaf::location_body {
 public:
  body(sheaf::options const& job, std::uint64_t seed) : job_(job), part_(std::make_unique<Part>(seed)) {}
  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](sheaf::team const& world) { part_->play(world); });
  }
  [[nodiscard]] std::string check() const { return part_->check(); }

 private:
  sheaf::options const& job_;
  std::unique_ptr<Part> part_;
};

struct ordered {
  explicit ordered(std::uint64_t s) : seed(s) {}
  void play(sheaf::team const& world) {
    sheaf_test::ordered_player player(world, seed);
    std::string const found = player.play(30);
    if (problem.empty()) problem = found;
    sheaf::fence(world);
  }
  [[nodiscard]] std::string check() const { return problem; }
  std::uint64_t seed;
  std::string problem;
};

TEST(memory_seeds, what_one_location_does_at_another_is_in_order) {
  run_seeds("memory_seeds.what_one_location_does_at_another_is_in_order", 1500, kinds, some_settings,
            [](auto const& job, std::uint64_t seed) { return body<ordered>(job, seed); });
}

/// The locations are fibers of one thread: what they note in plain memory is in the order of what happens.
struct locked {
  static constexpr unsigned locks = 2;
  explicit locked(std::uint64_t s) : seed(s) {}

  void play(sheaf::team const& world) {
    sheaf::shared_array<std::uint64_t> words(world, locks);
    dice random(seed * 53 + world.rank());
    bool all_near = true;
    for (std::uint32_t r = 0; r < world.size(); ++r) all_near = all_near && words.at(r).local() != nullptr;
    std::uint32_t const home = static_cast<std::uint32_t>(seed % world.size());
    sheaf::barrier(world);
    for (int i = 0; i < 6; ++i) {
      std::size_t const which = random.below(locks);
      sheaf::global_lock const lock(words.at(home) + static_cast<std::ptrdiff_t>(which));
      if (random.one_in(5)) {
        if (lock.try_lock()) inside(which, world, random), lock.unlock();
        continue;
      }
      if (all_near) asked[which].push_back(world.rank());
      lock.lock();
      if (all_near) got[which].push_back(world.rank());
      inside(which, world, random);
      lock.unlock();
      if (random.one_in(3)) sheaf::poll();
    }
    sheaf::fence(world);
    for (std::uint64_t const word : words.own()) {
      if (word != 0) problem = "a lock is taken in the end";
    }
    sheaf::fence(world);
  }

  void inside(std::size_t which, sheaf::team const& world, dice& random) {
    if (held[which]++ != 0) problem = "two have a lock";
    for (std::uint64_t n = random.below(4); n != 0; --n) sheaf::poll();
    if (random.one_in(4))
      world.sync(
          random.below(world.size()), [](int) {}, 1);
    --held[which];
  }

  [[nodiscard]] std::string check() const {
    for (unsigned which = 0; which < locks; ++which) {
      if (asked[which] != got[which]) return "a lock does not go to who asked first";
    }
    return problem;
  }
  std::uint64_t seed;
  std::vector<std::uint32_t> asked[locks], got[locks];
  int held[locks] = {};
  std::string problem;
};

TEST(memory_seeds, a_lock_goes_to_who_asked_first) {
  run_seeds("memory_seeds.a_lock_goes_to_who_asked_first", 4000, kinds, some_settings,
            [](auto const& job, std::uint64_t seed) { return body<locked>(job, seed); });
}

/// Rows behind signals, in a ring.
struct signalled {
  explicit signalled(std::uint64_t) {}
  void play(sheaf::team const& world) {
    sheaf::shared_array<int> rows(world, 10);
    sheaf::shared_array<int> words(world, 2);
    std::uint32_t const next = (world.rank() + 1) % world.size();
    std::uint32_t const before = (world.rank() + world.size() - 1) % world.size();
    for (int i = 1; i <= 5; ++i) {
      sheaf::put_signal(rows.at(next), std::vector<int>(10, i), words.at(next), i);
      sheaf::await_word(words.own()[0], [=](int w) { return w >= i; });
      if (rows.own()[0] != i || rows.own()[9] != i) problem = "a signal comes before what was put";
      sheaf::atomic_store(words.at(before) + 1, i);
      sheaf::await_word(words.own()[1], [=](int w) { return w >= i; });
    }
    sheaf::fence(world);
  }
  [[nodiscard]] std::string check() const { return problem; }
  std::string problem;
};

TEST(memory_seeds, a_signal_comes_behind_what_was_put) {
  run_seeds("memory_seeds.a_signal_comes_behind_what_was_put", 2000, kinds, some_settings,
            [](auto const& job, std::uint64_t seed) { return body<signalled>(job, seed); });
}

}  // namespace
