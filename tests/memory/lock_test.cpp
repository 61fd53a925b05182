// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory/lock.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/memory/allocation.hpp"
#include "sheaf/memory/atomics.hpp"
#include "sheaf/memory/transfer.hpp"

namespace {

using sheaf::global_lock;
using sheaf::global_ptr;
using sheaf::shared_array;
using sheaf::usage_error;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class locks : public sheaf_test::over {};
SHEAF_OVER_ALL(locks);

/// A lock at each location, and what it protects.
struct protected_counter {
  explicit protected_counter(sheaf::team const& world) : words(world, 1), counters(world, 2) {}
  [[nodiscard]] global_lock lock_of(std::uint32_t rank) const { return global_lock(words.at(rank)); }
  shared_array<std::uint64_t> words;
  shared_array<std::uint64_t> counters;
};

/// By plain gets and puts, which lose something where two locations are inside.
void add_one(global_ptr<std::uint64_t> at) {
  sheaf::put(at, sheaf::get(at) + 1);
  sheaf::poll();  // in the simulator, others may come between
  sheaf::put(at + 1, sheaf::get(at + 1) + 1);
}

TEST_P(locks, of_all_locations_lose_nothing) {
  constexpr unsigned locations = 4, each = 300;
  run(locations, [](sheaf::team world) {
    protected_counter all(world);
    for (unsigned i = 0; i < each; ++i) {
      std::uint32_t const at = i % 3;
      all.lock_of(at).lock();
      add_one(all.counters.at(at));
      all.lock_of(at).unlock();
    }
    sheaf::fence(world);
    if (world.rank() < 3) {
      EXPECT_EQ(all.counters.own()[0], locations * each / 3);
      EXPECT_EQ(all.counters.own()[1], locations * each / 3);
      EXPECT_EQ(all.words.own()[0], 0u) << "free again";
    }
    sheaf::fence(world);
  });
}

TEST_P(locks, several_at_a_time_and_in_any_order_of_release) {
  run(3, [](sheaf::team world) {
    protected_counter all(world);
    for (int i = 0; i < 100; ++i) {
      for (std::uint32_t at = 0; at < 3; ++at) all.lock_of(at).lock();
      for (std::uint32_t at = 0; at < 3; ++at) add_one(all.counters.at(at));
      for (std::uint32_t at : {1u, 0u, 2u}) all.lock_of(at).unlock();
    }
    sheaf::fence(world);
    EXPECT_EQ(all.counters.own()[1], 300u);
  });
}

TEST_P(locks, try_lock_takes_a_free_one_only) {
  run(2, [](sheaf::team world) {
    protected_counter all(world);
    global_lock const one = all.lock_of(1);
    if (world.rank() == 0) {
      EXPECT_TRUE(one.try_lock());
      EXPECT_FALSE(one.try_lock()) << "it is ours already";
    }
    sheaf::barrier(world);
    EXPECT_FALSE(world.rank() == 1 && one.try_lock());
    sheaf::barrier(world);
    if (world.rank() == 0) one.unlock();
    sheaf::barrier(world);
    if (world.rank() == 1) {
      EXPECT_TRUE(one.try_lock());
      one.unlock();
    }
    sheaf::fence(world);
  });
}

/// A holder computes for long; who waits naps, and is not taken for dead.
TEST_P(locks, who_waits_executes_requests) {
  struct helper : sheaf::distributed<helper> {
    using distributed::distributed;
    void help() { ++helped; }
    int helped = 0;
  };
  run(2, [](sheaf::team world) {
    protected_counter all(world);
    helper object(world);
    if (world.rank() == 0) all.lock_of(0).lock();
    sheaf::barrier(world);
    if (world.rank() == 1) {
      all.lock_of(0).lock();
      EXPECT_EQ(object.helped, 10);
    } else {
      for (int i = 0; i < 10; ++i) object.async<&helper::help>(1);
      object.sync(1, [](helper& o) { EXPECT_EQ(o.helped, 10); });
    }
    all.lock_of(0).unlock();
    sheaf::fence(world);
  });
}

/// The holder lets the others ask one after another: the order of getting is that of asking.
TEST_P(locks, who_asks_first_gets_it_first) {
  constexpr unsigned locations = 6;
  run(locations, [](sheaf::team world) {
    protected_counter all(world);
    shared_array<std::uint32_t> may_ask(world, 1);
    global_lock const one = all.lock_of(2);
    auto const got = all.counters.at(0);
    for (unsigned round = 0; round < 20; ++round) {
      if (world.rank() == 0) {
        one.lock();
        for (std::uint32_t i = 1; i < locations; ++i) {
          std::uint64_t const last = sheaf::atomic_load(one.word());
          sheaf::atomic_store(may_ask.at(1 + (i * 3 + round) % 5), i);
          while (sheaf::atomic_load(one.word()) == last) sheaf::poll();
        }
        sheaf::atomic_store(got, 0);
        one.unlock();
      } else {
        auto const turn = sheaf::await_word(may_ask.own()[0], [](std::uint32_t w) { return w != 0; });
        one.lock();
        EXPECT_EQ(sheaf::fetch_add(got, 1), turn - 1) << "round " << round;
        one.unlock();
        may_ask.own()[0] = 0;
      }
      sheaf::barrier(world);
    }
  });
}

TEST_P(locks, two_in_opposite_orders_are_a_deadlock) {
  std::string const text = failure(2, [](sheaf::team world) {
    protected_counter all(world);
    all.lock_of(world.rank()).lock();
    sheaf::barrier(world);
    all.lock_of(1 - world.rank()).lock();
  });
  expect_in("deadlock: ", text);
  expect_in("location 1 waits in lock, called at", text);
}

struct method : sheaf::distributed<method> {
  using distributed::distributed;
  std::string lock(global_lock of) {
    return text_of<usage_error>([&] { of.lock(); });
  }
};

TEST_P(locks, say_what_is_wrong) {
  run(2, [](sheaf::team world) {
    protected_counter all(world);
    global_lock const one = all.lock_of(1);
    std::string const name = "the lock at address " + std::to_string(one.word().address()) + " of location 1 is ";
    auto const text = [](auto f) { return text_of<usage_error>(f); };
    expect_in(("unlock: " + name + "not locked by this location (called at").c_str(), text([&] { one.unlock(); }));
    sheaf::barrier(world);
    if (world.rank() == 0) {
      one.lock();
      expect_in(("lock: " + name + "locked by this location already (called at").c_str(), text([&] { one.lock(); }));
      one.unlock();
      expect_in("not locked by this location", text([&] { one.unlock(); }));
    }
    sheaf::barrier(world);
    method object(world);
    std::string const told = object.sync<&method::lock>(1 - world.rank(), one);
    expect_in("lock was called in a remotely invoked method", told);
    sheaf::fence(world);
    expect_in("the global pointer is null", text([] { global_lock().lock(); }));
    expect_in("the global pointer is null", text([] { static_cast<void>(global_lock().try_lock()); }));
    expect_in("there is no location 9",
              text([] { global_lock(global_ptr<std::uint64_t>(sheaf::location_id{9}, 64)).lock(); }));
    expect_in("on 8 bytes is not a multiple", text([&] {
                global_lock(global_ptr<std::uint64_t>(one.word().where(), one.word().address() + 4)).lock();
              }));
    // A refused lock is not held afterwards.
    expect_in("is not locked by this location", text([] { global_lock().unlock(); }));
    sheaf::fence(world);
  });
}

}  // namespace
