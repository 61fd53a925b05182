// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/gate.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

namespace {

using sheaf::detail::admission;
using sheaf::detail::gate;
using sheaf::detail::gate_break;

void on_another_thread(std::function<void()> const& f) { std::thread(f).join(); }

TEST(gate, lets_one_thread_in_at_a_time) {
  gate g;
  std::uint64_t unprotected = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        admission const inside(&g);
        ++unprotected;
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(unprotected, 20'000u);
}

TEST(gate, may_be_entered_again_by_who_is_inside) {
  gate g;
  {
    admission const once(&g);
    admission const twice(&g);
    EXPECT_TRUE(g.held_by_me());
    on_another_thread([&] {
      EXPECT_FALSE(g.held_by_me());
      EXPECT_FALSE(g.try_enter());
    });
  }
  EXPECT_FALSE(g.held_by_me());
  on_another_thread([&] {
    EXPECT_TRUE(g.try_enter());
    g.leave();
  });
}

TEST(gate, a_break_leaves_it_wholly_and_comes_back_as_deep) {
  gate g;
  admission const once(&g);
  {
    admission const twice(&g);
    {
      gate_break const outside(&g);
      EXPECT_FALSE(g.held_by_me());
      on_another_thread([&] { admission const inside(&g); });
    }
    EXPECT_TRUE(g.held_by_me());
  }
  EXPECT_TRUE(g.held_by_me());
}

TEST(gate, a_break_of_who_is_not_inside_does_nothing) {
  gate g;
  {
    gate_break const outside(&g);
    EXPECT_FALSE(g.held_by_me());
  }
  EXPECT_FALSE(g.held_by_me());
  gate_break const none(nullptr);
  admission const nowhere(nullptr);
}

TEST(gate, counts_how_often_its_owner_comes_in) {
  gate g;
  { admission const inside(&g); }
  { admission const inside(&g); }
  on_another_thread([&] { admission const inside(&g); });
  EXPECT_TRUE(g.by_owner());
  on_another_thread([&] { EXPECT_FALSE(g.by_owner()); });
  EXPECT_EQ(g.owner_entries, 2u);
}

TEST(gate, who_holds_it_long_gives_way_to_who_waits) {
  gate g;
  bool seen = false;
  admission const inside(&g);
  std::thread other([&] {
    admission const also(&g);
    seen = true;
  });
  while (!seen) g.give_way();  // ends because tickets are served in order
  other.join();
}

TEST(gate, a_call_ends_a_park_without_limit) {
  gate g;
  bool parked = false, woken = false;
  std::thread sleeper([&] {
    admission const inside(&g);
    parked = true;
    g.park(0);
    woken = true;
  });
  for (bool done = false; !done; std::this_thread::yield()) {
    admission const inside(&g);
    done = parked;
  }
  {
    admission const inside(&g);  // it is asleep: it left the gate by parking
    EXPECT_NE(g.parked_until(), 0u);
    EXPECT_FALSE(woken);
    g.call();
  }
  sleeper.join();
  EXPECT_TRUE(woken);
  EXPECT_EQ(g.parked_until(), 0u);
}

TEST(gate, a_park_ends_with_its_time) {
  gate g;
  admission const inside(&g);
  g.park(1);  // long ago
  EXPECT_TRUE(g.held_by_me());
}

}  // namespace
