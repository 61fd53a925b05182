// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory/atomics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/memory/allocation.hpp"
#include "sheaf/memory/signal.hpp"
#include "sheaf/memory/transfer.hpp"

namespace {

using sheaf::global_ptr;
using sheaf::shared_array;
using sheaf::usage_error;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class atomics : public sheaf_test::over {};
SHEAF_OVER_ALL(atomics);

template <class T>
void check_each_operation(global_ptr<T> at) {
  constexpr T top = std::numeric_limits<T>::max();
  constexpr T a = 0x35, b = 0x0f;
  sheaf::atomic_store(at, a);
  EXPECT_EQ(sheaf::atomic_load(at), a);
  EXPECT_EQ(sheaf::atomic_load(global_ptr<T const>(at)), a);
  EXPECT_EQ(sheaf::fetch_add(at, b), a);
  EXPECT_EQ(sheaf::atomic_swap(at, a), static_cast<T>(a + b));
  EXPECT_EQ(sheaf::fetch_and(at, b), a);
  EXPECT_EQ(sheaf::fetch_or(at, a), static_cast<T>(a & b));
  EXPECT_EQ(sheaf::fetch_xor(at, b), static_cast<T>(a | (a & b)));
  EXPECT_EQ(sheaf::compare_swap(at, T{1}, top), static_cast<T>(a ^ b)) << "another value: it stays";
  EXPECT_EQ(sheaf::compare_swap(at, static_cast<T>(a ^ b), top), static_cast<T>(a ^ b));
  EXPECT_EQ(sheaf::fetch_add(at, 1), top);
  EXPECT_EQ(sheaf::get(at), std::numeric_limits<T>::min()) << "it wraps around";
}

TEST_P(atomics, each_operation_of_each_type) {
  run(2, [](sheaf::team world) {
    shared_array<std::uint64_t> all(world, 3);
    auto const there = all.at(1 - world.rank()) + 1;
    check_each_operation(there.as<std::int32_t>());
    check_each_operation(there.as<std::uint32_t>());
    check_each_operation(there.as<std::int32_t>() + 1);
    check_each_operation(there.as<std::int64_t>());
    check_each_operation(there);
    check_each_operation(there.as<long long>());
    sheaf::fence(world);
    EXPECT_EQ(all.own()[0], 0u);
    EXPECT_EQ(all.own()[2], 0u);
  });
}

TEST_P(atomics, of_all_locations_give_each_number_once) {
  constexpr unsigned locations = 4, each = 2000;
  run(locations, [](sheaf::team world) {
    shared_array<std::uint32_t> all(world, 2);
    std::vector<std::uint32_t> got;
    for (unsigned i = 0; i < each; ++i) {
      got.push_back(sheaf::fetch_add(all.at(0), 1));
      if (i % 2 == 0) sheaf::accumulate(all.at(0) + 1, 1u);
      if (i % 2 != 0) sheaf::fetch_add(all.at(0) + 1, 1);
      if (i % 500 == 0) sheaf::poll();
    }
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end()));
    std::vector<std::vector<std::uint32_t>> const everybodys = sheaf::all_gather(world, got);
    std::vector<std::uint32_t> numbers;
    for (auto const& some : everybodys) numbers.insert(numbers.end(), some.begin(), some.end());
    std::sort(numbers.begin(), numbers.end());
    for (unsigned i = 0; i < locations * each; ++i) ASSERT_EQ(numbers[i], i);
    EXPECT_EQ(sheaf::atomic_load(all.at(0) + 1), locations * each) << "accumulates are atomic with these";
    sheaf::fence(world);
  });
}

TEST_P(atomics, a_word_is_built_up_by_compare_swap) {
  run(3, [](sheaf::team world) {
    shared_array<std::uint64_t> all(world, 1);
    for (int i = 0; i < 500; ++i) {
      for (std::uint64_t now = sheaf::atomic_load(all.at(2));;) {
        std::uint64_t const old = sheaf::compare_swap(all.at(2), now, now + 3);
        if (old == now) break;
        now = old;
      }
    }
    sheaf::fence(world);
    EXPECT_EQ(sheaf::get(all.at(2)), 4500u);
    sheaf::fence(world);
  });
}

/// A ring: each waits for its word, and gives the next one a row and a signal.
TEST_P(atomics, a_signal_comes_behind_what_was_put) {
  run(3, [](sheaf::team world) {
    constexpr std::size_t n = 100;
    shared_array<int> rows(world, n);
    shared_array<std::uint32_t> words(world, 1);
    std::uint32_t const next = (world.rank() + 1) % 3;
    for (std::uint32_t round = 1; round <= 100; ++round) {
      if (world.rank() != 0) sheaf::await_word(words.own()[0], [=](std::uint32_t w) { return w == round; });
      std::vector<int> row(rows.own().begin(), rows.own().end());
      EXPECT_TRUE(world.rank() == 0 || row == std::vector<int>(n, static_cast<int>(10 * round + world.rank() - 1)));
      row.assign(n, static_cast<int>(10 * round + world.rank()));
      sheaf::put_signal(rows.at(next), row, words.at(next), round);
      if (world.rank() == 0) {
        auto const got = sheaf::await_word(words.own()[0], [=](std::uint32_t w) { return w >= round; });
        EXPECT_EQ(got, round);
        EXPECT_EQ(rows.own()[n - 1], static_cast<int>(10 * round + 2));
      }
    }
    sheaf::fence(world);
  });
}

struct waiter : sheaf::distributed<waiter> {
  waiter(sheaf::team const& on, std::uint64_t const& of) : distributed(on), word(of) {}
  void wait() {
    seen = sheaf::await_word(word, [](std::uint64_t w) { return w > 1; });
  }
  void touch(global_ptr<std::uint64_t> to) { sheaf::atomic_store(to, 5); }
  std::uint64_t const& word;
  std::uint64_t seen = 0;
};

TEST_P(atomics, a_wait_for_a_word_executes_requests_and_may_be_in_a_method) {
  run(2, [](sheaf::team world) {
    shared_array<std::uint64_t> all(world, 1);
    waiter object(world, all.own()[0]);
    sheaf::fence(world);
    std::uint32_t const other = 1 - world.rank();
    object.async<&waiter::wait>(other);
    object.async<&waiter::touch>(other, all.at(other));
    sheaf::fence(world);
    EXPECT_EQ(object.seen, 5u);
    EXPECT_EQ(sheaf::await_word(object.seen, [](std::uint64_t) { return true; }), 5u) << "without a wait";
  });
}

TEST_P(atomics, words_that_nobody_changes_are_a_deadlock) {
  std::string const text = failure(2, [](sheaf::team world) {
    shared_array<int> all(world, 1);
    sheaf::await_word(all.own()[0], [](int w) { return w != 0; });
  });
  expect_in("deadlock: ", text);
  expect_in("location 1 waits in await_word", text);
}

TEST_P(atomics, say_what_is_wrong) {
  run(2, [](sheaf::team world) {
    shared_array<std::uint64_t> all(world, 2);
    auto const text = [](auto f) { return text_of<usage_error>(f); };
    auto const odd = global_ptr<std::uint64_t>(all.at(1).where(), all.at(1).address() + 4);
    std::string const address = std::to_string(odd.address());
    expect_in(("the address " + address + " of an atomic operation on 8 bytes is not a multiple of that").c_str(),
              text([&] { sheaf::fetch_add(odd, 1); }));
    expect_in("atomics_test.cpp:", text([&] { sheaf::fetch_add(odd, 1); }));
    EXPECT_LT(sheaf::fetch_add(odd.as<std::uint32_t>(), 1), 2u);
    expect_in("on 4 bytes is not a multiple",
              text([&] { sheaf::atomic_store(global_ptr<int>(odd.where(), odd.address() + 2), 1); }));
    expect_in("an atomic operation: there is no location 8",
              text([&] { sheaf::fetch_add(global_ptr<int>(sheaf::location_id{8}, 64), 1); }));
    expect_in("an atomic operation: the global pointer is null", text([&] { sheaf::fetch_add(global_ptr<int>(), 1); }));
    expect_in("the global pointer is null", text([&] { static_cast<void>(sheaf::atomic_load(global_ptr<long>())); }));
    expect_in("put_signal: the values are for location 0, and the word is at location 1; both must be at one location",
              text([&] { sheaf::put_signal(all.at(0), std::uint64_t{1}, all.at(1), 1); }));
    EXPECT_EQ(sheaf::get(all.at(0)), 0u) << "nothing is put then";
    sheaf::fence(world);
  });
}

}  // namespace
