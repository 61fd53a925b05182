// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory/allocation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/memory/transfer.hpp"
#include "transport/host/sanitizers.hpp"

namespace {

using sheaf::allocate;
using sheaf::deallocate;
using sheaf::global_ptr;
using sheaf::shared_array;
using sheaf::usage_error;
using sheaf_test::expect_in;
using sheaf_test::text_of;

constexpr bool sanitized = SHEAF_HAS_ASAN || SHEAF_HAS_TSAN;  // which end a program that asks for too much

class allocations : public sheaf_test::over {};
SHEAF_OVER_ALL(allocations);

template <class T>
bool all_zero(global_ptr<T> at, std::size_t count) {
  std::vector<T> values(count, T{1});
  sheaf::get(at, values);
  return std::all_of(values.begin(), values.end(), [](T value) { return value == T{}; });
}

TEST_P(allocations, one_allocates_at_another_and_a_third_gives_it_back) {
  run(3, [](sheaf::team world) {
    std::uint32_t const owner = (world.rank() + 1) % 3;
    for (int round = 0; round < 20; ++round) {
      std::size_t const count = 1 + static_cast<std::size_t>(round) * 1000;
      auto const mine = allocate<double>(world.location_of(owner), count);
      EXPECT_EQ(mine.where(), world.location_of(owner));
      EXPECT_EQ(mine.address() % alignof(double), 0u);
      EXPECT_TRUE(all_zero(mine, count)) << "also where it was used before";
      sheaf::put(mine, std::vector<double>(count, world.rank() + 1.0));
      auto const all = sheaf::all_gather(world, mine);
      auto const other = all[owner];  // made by the next one, at the one after
      EXPECT_EQ(sheaf::get(other + static_cast<std::ptrdiff_t>(count - 1)), owner + 1.0);
      sheaf::barrier(world);
      deallocate(other, count);
      sheaf::barrier(world);
    }
  });
}

TEST_P(allocations, of_nothing_are_null) {
  run(2, [](sheaf::team world) {
    auto const none = allocate<int>(world.location_of(1), 0);
    EXPECT_FALSE(none);
    deallocate(none, 0);
    deallocate(global_ptr<int>(), 0);
    auto const here = allocate<int>(5);
    EXPECT_EQ(here.where(), world.location_of(world.rank()));
    deallocate(here, 5);
  });
}

TEST_P(allocations, that_cannot_be_say_so) {
  run(2, [](sheaf::team) {
    auto const text = [](auto f) { return text_of<usage_error>(f); };
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    expect_in("allocate: 2305843009213693952 elements of 8 bytes are more than there are addresses (called at",
              text([] { static_cast<void>(allocate<double>(most / 8 + 1)); }));
    if (!sanitized) {
      EXPECT_THROW(static_cast<void>(allocate<char>(most / 2)), std::bad_alloc);
    }
    expect_in("allocate: there is no location 5",
              text([] { static_cast<void>(allocate<int>(sheaf::location_id{5}, 1)); }));
    expect_in("deallocate: there is no location 5",
              text([] { deallocate(global_ptr<int>(sheaf::location_id{5}, 64), 1); }));
  });
  expect_in("sheaf::run", text_of<usage_error>([] { static_cast<void>(allocate<int>(1)); }));
}

class shared_arrays : public sheaf_test::over {};
SHEAF_OVER_ALL(shared_arrays);

TEST_P(shared_arrays, parts_differ_in_size_and_all_know_them) {
  run(4, [](sheaf::team world) {
    auto const size_of = [](std::uint64_t rank) { return rank == 2 ? 0 : rank * 1000 + 1; };
    shared_array<long> all(world, size_of(world.rank()));
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
      EXPECT_EQ(all.size_of(rank), size_of(rank));
      EXPECT_EQ(all.at(rank).where(), world.location_of(rank));
      EXPECT_EQ(static_cast<bool>(all.at(rank)), rank != 2);
      EXPECT_TRUE(all_zero(all.at(rank), all.size_of(rank)));
    }
    EXPECT_EQ(all.own().size(), size_of(world.rank()));
    EXPECT_EQ(global_ptr<long>(all.own().data()).address(), all.at(world.rank()).address());
    sheaf::barrier(world);
    std::iota(all.own().begin(), all.own().end(), 1L);
    sheaf::barrier(world);
    EXPECT_EQ(sheaf::get(all.at(3) + 3000), 3001);
    sheaf::fence(world);
  });
}

TEST_P(shared_arrays, of_a_part_of_the_world_and_one_after_another) {
  run(5, [](sheaf::team world) {
    for (int round = 0; round < 50; ++round) {
      sheaf::team const half = world.split(world.rank() % 2);
      shared_array<int> all(half, 100);
      sheaf::accumulate(all.at(0), std::vector<int>(100, 1));
      sheaf::fence(half);
      EXPECT_EQ(all.own()[99], half.rank() == 0 ? static_cast<int>(half.size()) : 0);
      sheaf::barrier(half);
    }
  });
}

TEST_P(shared_arrays, move_and_leave_nothing_behind) {
  run(3, [](sheaf::team world) {
    shared_array<int> first(world, 10);
    auto const at = first.at(1);
    shared_array<int> second(std::move(first));
    EXPECT_EQ(second.at(1), at);
    EXPECT_TRUE(first.own().empty());  // NOLINT: what a moved one says
    expect_in("no parts", text_of<usage_error>([&] { static_cast<void>(first.at(0)); }));
    shared_array<int> third(world, 20);
    third = std::move(second);
    EXPECT_EQ(third.at(1), at);
    EXPECT_EQ(third.own().size(), 10u);
    std::optional<shared_array<int>> fourth(std::move(third));
    sheaf::barrier(world);
    fourth.reset();
    sheaf::barrier(world);
  });
}

TEST_P(shared_arrays, say_what_is_wrong) {
  run(3, [](sheaf::team world) {
    shared_array<int> const all(world, 1);
    auto const text = [](auto f) { return text_of<usage_error>(f); };
    expect_in("part of rank 3; its team has ranks 0 to 2 (called at", text([&] { static_cast<void>(all.at(3)); }));
    expect_in("part of rank 99", text([&] { static_cast<void>(all.size_of(99)); }));
    // One has no memory: all are told, and the job goes on.
    if (!sanitized) {
      std::size_t const count = world.rank() == 1 ? std::size_t{1} << 61 : 5;
      expect_in("shared_array: there is no memory for 2305843009213693952 elements of 1 bytes at location 1 (called at",
                text_of<sheaf::error>([&] { shared_array<char> const large(world, count); }));
    }
    expect_in("no memory for 18446744073709551615 elements", text_of<sheaf::error>([&] {
                shared_array<long> const large(world, world.rank() == 0 ? ~std::size_t{0} : 1);
              }));
    sheaf::fence(world);
  });
}

}  // namespace
