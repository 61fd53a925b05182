// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/algorithm/sample_sort.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;

class sample_sort : public sheaf_test::over {};
SHEAF_OVER_ALL(sample_sort);

/// Sorts what `input(rank)` gives on each of `p` members and compares the parts put together with std::sort's result.
template <class T, class Input, class Less = std::less<T>, class... Sort>
void expect_sorted(sheaf::options const& o, Input input, std::size_t most, Less less = {}, Sort... sort_less) {
  sheaf::run(o, [&](team const& world) {
    std::vector<T> part = input(world.rank());
    std::vector<T> expected;
    for (auto const& one : all_gather(world, part)) expected.insert(expected.end(), one.begin(), one.end());
    std::sort(expected.begin(), expected.end(), less);
    sheaf::sample_sort(world, part, sort_less...);
    EXPECT_LE(part.size(), most) << "the parts are balanced";
    std::vector<T> sorted;
    for (auto const& one : all_gather(world, part)) sorted.insert(sorted.end(), one.begin(), one.end());
    EXPECT_EQ(sorted, expected);
  });
}

std::vector<int> numbers(std::uint32_t rank, std::size_t n, int range) {
  std::mt19937 random(rank + 1);
  std::vector<int> part(n);
  for (int& v : part) v = static_cast<int>(random() % static_cast<unsigned>(range)) - range / 2;
  return part;
}

TEST_P(sample_sort, orders_any_number_of_numbers_over_any_number_of_members) {
  for (unsigned const p : {1u, 2u, 3u, 4u, 7u, 8u}) {
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{p + 1}, std::size_t{300}}) {
      expect_sorted<int>(
          sheaf_test::job_of(GetParam(), p), [n](std::uint32_t r) { return numbers(r, n, 1'000'000); }, 4 * n + 16);
    }
  }
}

TEST_P(sample_sort, balances_whatever_the_input) {
  constexpr std::size_t n = 4000;
  auto const job = sheaf_test::job_of(GetParam(), 4);
  std::size_t const most = n + n / 2;
  expect_sorted<int>(
      job, [](std::uint32_t) { return std::vector<int>(n, 5); }, most);
  expect_sorted<int>(
      job, [](std::uint32_t r) { return numbers(r, n, 2); }, most);
  expect_sorted<int>(
      job,
      [](std::uint32_t r) {
        std::vector<int> part(n);
        for (std::size_t i = 0; i < n; ++i) part[i] = static_cast<int>(r * n + i);
        return part;
      },
      most);
  expect_sorted<int>(
      job,
      [](std::uint32_t r) {
        std::vector<int> part(n);
        for (std::size_t i = 0; i < n; ++i) part[i] = -static_cast<int>(i * 4 + r);
        return part;
      },
      most);
}

TEST_P(sample_sort, one_member_may_have_everything) {
  expect_sorted<int>(
      sheaf_test::job_of(GetParam(), 3),
      [](std::uint32_t r) { return r == 1 ? numbers(1, 3000, 100) : std::vector<int>(); }, 1500);
}

TEST_P(sample_sort, takes_any_codec_type_and_any_order) {
  auto const words = [](std::uint32_t r) {
    std::vector<std::string> part;
    for (int const v : numbers(r, 200, 500)) part.push_back("w" + std::to_string(v));
    return part;
  };
  expect_sorted<std::string>(sheaf_test::job_of(GetParam(), 3), words, 400);
  auto const greater = [](int a, int b) { return a > b; };
  expect_sorted<int>(
      sheaf_test::job_of(GetParam(), 3), [](std::uint32_t r) { return numbers(r, 500, 50); }, 1000, std::greater<int>(),
      greater);
}

TEST_P(sample_sort, again_and_again_in_the_memory_that_it_has) {
  run(3, [](team const& world) {
    std::vector<int> part, spare(10, 1);
    part.reserve(5000);
    spare.reserve(5000);
    std::set<int const*> const memory{part.data(), spare.data()};
    for (std::uint32_t round = 0; round < 4; ++round) {
      auto const fresh = numbers(world.rank() + 3 * round, 1000, 1 << 20);
      part.assign(fresh.begin(), fresh.end());
      sheaf::sample_sort(world, part, spare);
      EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
      EXPECT_TRUE(spare.empty());
      EXPECT_EQ(sheaf::all_reduce(world, part.size(), std::plus<>()), 3000u);
    }
    EXPECT_EQ((std::set<int const*>{part.data(), spare.data()}), memory);
  });
}

TEST_P(sample_sort, sorts_the_parts_of_teams_apart) {
  run(4, [](team const& world) {
    team const half = world.split(world.rank() % 2);
    std::vector<int> part = numbers(world.rank(), 200, 1000);
    sheaf::sample_sort(half, part);
    EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
    auto const first = all_gather(half, part.front()), last = all_gather(half, part.back());
    EXPECT_LE(last[0], first[1]);
  });
}

}  // namespace
