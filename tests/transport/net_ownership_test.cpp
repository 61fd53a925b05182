// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/gateway.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace sheaf_test {
namespace {

/// Lets another thread act just before the owner lets go: what `std::atomic` does, with a call before a false is
/// stored.
template <class T>
struct watched_atomic : std::atomic<T> {
  using std::atomic<T>::atomic;
  void store(T value, std::memory_order order) noexcept {
    if (!value && before_release) std::exchange(before_release, {})();
    std::atomic<T>::store(value, order);
  }
  static inline std::function<void()> before_release;
};

using watched_ownership = sheaf::net::ownership<watched_atomic>;

TEST(net_ownership, what_is_posted_between_an_owners_last_look_and_its_release_is_found) {
  watched_ownership o;
  int found = 0;
  auto const turn = [&] { found += o.collect() ? 1 : 0; };
  watched_atomic<bool>::before_release = [&] {
    o.post();
    EXPECT_TRUE(o.serve(8, turn)) << "there is an owner, who will look";
  };
  EXPECT_TRUE(o.serve(8, turn));
  EXPECT_EQ(found, 1);
  EXPECT_FALSE(o.posted());
}

TEST(net_ownership, an_owner_leaves_after_its_turns_with_the_flag_up) {
  watched_ownership o;
  int turns = 0;
  EXPECT_FALSE(o.serve(5, [&] {
    ++turns;
    o.post();
  }));
  EXPECT_EQ(turns, 5);
  EXPECT_TRUE(o.posted());
  EXPECT_TRUE(o.take()) << "nobody is the owner any more";
}

TEST(net_ownership, a_turn_that_throws_gives_it_back) {
  watched_ownership o;
  EXPECT_THROW(o.serve(1, [] { throw 1; }), int);
  EXPECT_TRUE(o.take());
}

}  // namespace
}  // namespace sheaf_test
