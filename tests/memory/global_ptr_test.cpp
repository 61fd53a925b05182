// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory/global_ptr.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/memory/allocation.hpp"
#include "sheaf/memory/lock.hpp"
#include "sheaf/memory/transfer.hpp"

namespace {

using sheaf::global_ptr;
using sheaf::location_id;
using sheaf_test::expect_in;
using sheaf_test::text_of;

template <class From, class To>
constexpr bool becomes = std::is_convertible_v<From, To>;
static_assert(becomes<global_ptr<int>, global_ptr<int const>>);
static_assert(!becomes<global_ptr<int const>, global_ptr<int>>);
static_assert(!becomes<global_ptr<int>, global_ptr<long>>);
static_assert(!becomes<int*, global_ptr<int>>, "a pointer becomes one when asked");
static_assert(becomes<std::nullptr_t, global_ptr<int>>);
static_assert(!sheaf::memory_type<std::string> && !sheaf::memory_type<int volatile> && sheaf::memory_type<int const>);
static_assert(std::is_trivially_copyable_v<global_ptr<double>> && sizeof(global_ptr<double>) == 16);

TEST(global_ptr, arithmetic_is_in_elements) {
  constexpr global_ptr<double> p(location_id{2}, 800);
  static_assert((p + 3).address() == 824 && (3 + p).address() == 824 && (p - 3).address() == 776);
  static_assert((p + 5) - p == 5 && p - (p + 5) == -5 && (p + 1).where() == location_id{2});
  auto q = p;
  q += 2;
  EXPECT_EQ(q.address(), 816u);
  q -= 4;
  EXPECT_EQ(q.address(), 784u);
  EXPECT_EQ((++q).address(), 792u);
  EXPECT_EQ((--q).address(), 784u);
  EXPECT_EQ((p + (std::ptrdiff_t{1} << 33)) - p, std::ptrdiff_t{1} << 33);
}

TEST(global_ptr, comparison_is_by_location_then_address) {
  constexpr global_ptr<int> a(location_id{1}, 400), b(location_id{1}, 404), c(location_id{2}, 100);
  static_assert(a < b && b < c && c > a && a == a && a != b && a <= a);
  static_assert(!global_ptr<int>() && global_ptr<int>() == nullptr && a && a != nullptr);
  EXPECT_EQ((std::set<global_ptr<int>>{c, a, b, a}.size()), 3u);
  constexpr global_ptr<int const> read_only = a;
  static_assert(read_only.address() == 400 && read_only == a);
  static_assert(a.as<char>() + 4 == b.as<char>() && a.as<char>().where() == a.where());
}

class global_ptr_over : public sheaf_test::over {};
SHEAF_OVER_ALL(global_ptr_over);

struct part {
  global_ptr<int> at;
  std::uint32_t count = 0;
};

struct receiver : sheaf::distributed<receiver> {
  using distributed::distributed;
  void take(global_ptr<int> at, std::vector<global_ptr<int const>> const& some, part const& one,
            std::map<std::string, global_ptr<double>> const& named, std::optional<global_ptr<int>> none) {
    sum = sheaf::get(at) + sheaf::get(some.at(1)) + sheaf::get(one.at) + static_cast<int>(one.count);
    sum += static_cast<int>(sheaf::get(named.at("pi")));
    EXPECT_FALSE(none.has_value());
  }
  global_ptr<int> give() { return global_ptr<int>(&sum); }
  void lock_and_add(sheaf::global_lock) {}
  int sum = 0;
};

TEST_P(global_ptr_over, travels_as_an_argument_and_as_an_answer) {
  run(3, [](sheaf::team world) {
    receiver object(world);
    sheaf::shared_array<int> all(world, 4);
    auto const pi = sheaf::allocate<double>(1);
    all.own()[0] = 1, all.own()[1] = 20, all.own()[2] = 300;
    sheaf::put(pi, 4000.0);
    std::uint32_t const next = (world.rank() + 1) % 3;
    auto const mine = all.at(world.rank());
    sheaf::fence(world);
    object.async<&receiver::take>(next, mine, std::vector<global_ptr<int const>>{nullptr, mine + 1},
                                  part{mine + 2, 50000}, std::map<std::string, global_ptr<double>>{{"pi", pi}},
                                  std::nullopt);
    object.async<&receiver::lock_and_add>(next, sheaf::global_lock());
    sheaf::fence(world);
    EXPECT_EQ(object.sum, 54321);
    auto const theirs = object.sync<&receiver::give>(next);
    EXPECT_EQ(theirs.where(), world.location_of(next));
    EXPECT_EQ(sheaf::get(theirs), 54321);
    for (auto const& p : sheaf::all_gather(world, mine)) EXPECT_EQ(sheaf::get(p), 1);
    sheaf::fence(world);
    sheaf::deallocate(pi, 1);
  });
}

TEST_P(global_ptr_over, is_local_within_the_host) {
  run(3, [](sheaf::team world) {
    sheaf::shared_array<int> all(world, 2);
    all.own()[1] = static_cast<int>(world.rank());
    sheaf::fence(world);
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      int* const there = (all.at(rank) + 1).local();
      ASSERT_NE(there, nullptr);
      EXPECT_EQ(*there, static_cast<int>(rank));
    }
    int mine = 5;
    global_ptr<int> const p(&mine);
    EXPECT_EQ(p.where(), world.location_of(world.rank()));
    EXPECT_EQ(p.local(), &mine);
    EXPECT_EQ(global_ptr<int const>(p).local(), &mine);
    EXPECT_EQ(global_ptr<int>().local(), nullptr);
    expect_in("global_ptr::local: there is no location 9",
              text_of<sheaf::usage_error>([&] { static_cast<void>(global_ptr<int>(location_id{9}, 8).local()); }));
    sheaf::fence(world);
  });
}

TEST(global_ptr, of_own_memory_is_made_in_a_job) {
  int mine = 0;
  expect_in("sheaf::run", text_of<sheaf::usage_error>([&] { static_cast<void>(global_ptr<int>(&mine)); }));
}

}  // namespace
