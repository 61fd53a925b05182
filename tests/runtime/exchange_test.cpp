// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// reduce, gather, all_to_all and reduce_scatter: against serial code, for any operation, root and size.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "runtime/job.hpp"

namespace {

using sheaf::team;
using sheaf_test::run_job;
using sheaf_test::setting;
using sheaf_test::usage_text;

class exchange : public sheaf_test::on_all {};

INSTANTIATE_TEST_SUITE_P(all, exchange, testing::ValuesIn(sheaf_test::all_settings()), sheaf_test::test_name);

std::string joined(std::string const& a, std::string const& b) { return a + b; }
std::string word(std::uint32_t i) { return std::string(i % 4 * 30, 'x') + std::to_string(i * i * 7919) + ","; }

TEST_P(exchange, reduce_applies_in_the_order_of_ranks_for_every_root) {
  run([&](team const& world) {
    std::string all;
    for (std::uint32_t i = 0; i < world.size(); ++i) all += word(i);
    for (std::uint32_t root = 0; root < world.size(); ++root) {
      auto const got = reduce(world, root, word(world.rank()), joined);
      EXPECT_EQ(got, world.rank() == root ? all : word(world.rank()));
    }
  });
}

TEST_P(exchange, gather_orders_by_rank_for_every_root) {
  run([&](team const& world) {
    for (std::uint32_t root = 0; root < world.size(); ++root) {
      auto const got = gather(world, root, std::pair(world.rank(), word(world.rank())));
      ASSERT_EQ(got.size(), world.rank() == root ? world.size() : 0u);
      for (std::uint32_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], std::pair(i, word(i)));
    }
  });
}

TEST_P(exchange, all_to_all_brings_each_its_own) {
  run([&](team const& world) {
    std::vector<std::string> mine;
    for (std::uint32_t to = 0; to < world.size(); ++to) mine.push_back(word(world.rank()) + ">" + word(to));
    auto const got = all_to_all(world, mine);
    ASSERT_EQ(got.size(), world.size());
    for (std::uint32_t from = 0; from < world.size(); ++from)
      EXPECT_EQ(got[from], word(from) + ">" + word(world.rank()));
  });
}

TEST_P(exchange, all_to_all_of_vectors_of_any_length) {
  run([&](team const& world) {
    std::vector<std::vector<std::uint32_t>> mine;
    for (std::uint32_t to = 0; to < world.size(); ++to) mine.emplace_back(to * 300 + world.rank(), world.rank());
    auto const got = all_to_all(world, mine);
    for (std::uint32_t from = 0; from < world.size(); ++from)
      EXPECT_EQ(got[from], std::vector<std::uint32_t>(world.rank() * 300 + from, from));
  });
}

TEST_P(exchange, reduce_scatter_applies_in_the_order_of_ranks) {
  run([&](team const& world) {
    std::vector<std::string> mine;
    for (std::uint32_t to = 0; to < world.size(); ++to) mine.push_back(word(world.rank()) + word(to) + ";");
    std::string expected;
    for (std::uint32_t from = 0; from < world.size(); ++from) expected += word(from) + word(world.rank()) + ";";
    EXPECT_EQ(reduce_scatter(world, mine, joined), expected);
  });
}

TEST_P(exchange, calls_that_go_one_way_do_not_run_away) {
  run([&](team const& world) {
    std::uint32_t const root = world.size() - 1;
    for (std::uint32_t i = 0; i < 100; ++i) {
      auto const sum = reduce(world, root, i, std::plus<>());
      EXPECT_EQ(sum, world.rank() == root ? i * world.size() : i);
      auto const all = gather(world, root, i);
      EXPECT_EQ(all, std::vector<std::uint32_t>(world.rank() == root ? world.size() : 0, i));
    }
  });
}

/// Sums of doubles depend on brackets.
TEST_P(exchange, all_members_reduce_to_the_same_bits) {
  run([&](team const& world) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      std::mt19937_64 random(seed * 100 + world.rank());
      auto const mine = std::uniform_real_distribution<>(-1e9, 1e9)(random);
      double const sum = all_reduce(world, mine, std::plus<>());
      auto const all = all_gather(world, sum);
      EXPECT_EQ(all, std::vector<double>(world.size(), sum)) << "seed " << seed;
    }
  });
}

TEST_P(exchange, random_matrices_are_multiplied_as_serial_code_does) {
  using matrix = std::array<std::uint32_t, 4>;
  auto const product = [](matrix const& a, matrix const& b) {
    return matrix{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                  a[2] * b[1] + a[3] * b[3]};
  };
  run([&](team const& world) {
    std::uint32_t const n = world.size(), me = world.rank();
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      std::mt19937_64 random(seed);
      std::vector<matrix> drawn(n * n);
      for (auto& m : drawn) std::generate(m.begin(), m.end(), [&] { return static_cast<std::uint32_t>(random()); });
      auto const of = [&](std::uint32_t from, std::uint32_t to) { return drawn[from * n + to]; };
      std::vector<matrix> mine, for_me, first;
      for (std::uint32_t i = 0; i < n; ++i) {
        mine.push_back(of(me, i));
        for_me.push_back(of(i, me));
        first.push_back(of(i, 0));
      }
      auto const serial = [&](std::vector<matrix> const& v) {
        return std::accumulate(v.begin() + 1, v.end(), v.front(), product);
      };
      EXPECT_EQ(reduce_scatter(world, mine, product), serial(for_me)) << "seed " << seed;
      EXPECT_EQ(all_reduce(world, of(me, 0), product), serial(first)) << "seed " << seed;
      auto const root = static_cast<std::uint32_t>(seed % n);
      auto const at_root = reduce(world, root, of(me, 0), product);
      EXPECT_EQ(at_root, me == root ? serial(first) : of(me, 0)) << "seed " << seed;
    }
  });
}

setting const two{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination};

TEST(exchange_errors, a_value_for_each_member_is_needed) {
  run_job(two.options(), [&](team const& world) {
    EXPECT_EQ(usage_text([&] { all_to_all(world, std::vector<int>(3)); }),
              "sheaf: all_to_all got 3 values in a team of 2; give one for each member, by rank");
    EXPECT_EQ(usage_text([&] { reduce_scatter(world, std::vector<int>(1), std::plus<>()); }),
              "sheaf: reduce_scatter got 1 values in a team of 2; give one for each member, by rank");
    EXPECT_EQ(usage_text([&] { gather(world, 7, 1); }), "sheaf: team 0 has no member 7; its ranks are 0 to 1");
    EXPECT_EQ(usage_text([&] { reduce(world, 2, 1, std::plus<>()); }),
              "sheaf: team 0 has no member 2; its ranks are 0 to 1");
  });
}

TEST(exchange_errors, members_that_call_different_ones_are_told) {
  sheaf_test::job body(two.options(), [&](team const& world) {
    if (world.rank() == 0) {
      all_to_all(world, std::vector<int>(2));
    } else {
      reduce_scatter(world, std::vector<int>(2), std::plus<>());
    }
  });
  launch_simulator(two.options(), body);
  EXPECT_NE(body.problem().find("location 0 all_to_all of int, called at "), std::string::npos) << body.problem();
  EXPECT_NE(body.problem().find("location 1 reduce_scatter of int, called at "), std::string::npos) << body.problem();
}

}  // namespace
