// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/collectives.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "runtime/job.hpp"
#include "runtime/team_tree.hpp"
#include "runtime/value_machines.hpp"
#include "runtime/wave.hpp"

namespace {

using sheaf::team;
using sheaf::detail::encoded;
using sheaf_test::run_job;
using sheaf_test::setting;

class collectives : public sheaf_test::on_all {};

INSTANTIATE_TEST_SUITE_P(all, collectives, testing::ValuesIn(sheaf_test::all_settings()), sheaf_test::test_name);

std::string joined(std::string const& a, std::string const& b) { return a + b; }
std::string word(std::uint32_t i) { return std::to_string(i * i * 7919) + ","; }

TEST_P(collectives, nobody_leaves_a_barrier_before_all_have_come) {
  std::atomic<unsigned> come{0};
  run([&](team const& world) {
    for (unsigned i = 1; i <= 20; ++i) {
      ++come;
      barrier(world);
      EXPECT_GE(come.load(), i * world.size());
    }
  });
}

TEST_P(collectives, broadcast_brings_each_roots_value) {
  run([&](team const& world) {
    for (std::uint32_t root = 0; root < world.size(); ++root) {
      EXPECT_EQ(broadcast(world, root, word(world.rank())), word(root));
    }
  });
}

TEST_P(collectives, operations_that_do_not_commute_are_applied_in_rank_order) {
  run([&](team const& world) {
    std::string before, all;
    for (std::uint32_t i = 0; i < world.size(); ++i) {
      if (i < world.rank()) before += word(i);
      all += word(i);
    }
    std::string const own = word(world.rank());
    EXPECT_EQ(all_reduce(world, own, joined), all);
    EXPECT_EQ(scan(world, own, joined), before + own);
    EXPECT_EQ(exclusive_scan(world, own, std::string("first:"), joined), "first:" + before);
  });
}

TEST_P(collectives, all_gather_orders_by_rank) {
  run([&](team const& world) {
    auto const all = all_gather(world, std::pair(world.rank(), word(world.rank())));
    ASSERT_EQ(all.size(), world.size());
    for (std::uint32_t i = 0; i < world.size(); ++i) EXPECT_EQ(all[i], std::pair(i, word(i)));
  });
}

TEST_P(collectives, values_of_several_megabytes_arrive_whole) {
  run([&](team const& world) {
    std::vector<std::uint64_t> mine(400'000);
    std::iota(mine.begin(), mine.end(), world.rank());
    auto const got = broadcast(world, world.size() - 1, mine);
    ASSERT_EQ(got.size(), mine.size());
    EXPECT_EQ(got.back(), mine.size() - 1 + world.size() - 1);
    auto const largest = [](auto const& a, auto const& b) { return std::max(a, b); };
    EXPECT_EQ(all_reduce(world, mine, largest).front(), world.size() - 1);
  });
}

/// Values of one type drawn from a seed, and what the operations make of them.
template <class T, class Draw, class Op>
void compare_with_serial(team const& world, std::uint64_t seed, Draw draw, Op op) {
  std::mt19937_64 random(seed);
  std::vector<T> values;
  for (std::uint32_t i = 0; i < world.size(); ++i) values.push_back(draw(random));
  std::vector<T> sums;
  std::inclusive_scan(values.begin(), values.end(), std::back_inserter(sums), op);
  std::uint32_t const me = world.rank();
  EXPECT_EQ(all_reduce(world, values[me], op), sums.back()) << "seed " << seed;
  EXPECT_EQ(scan(world, values[me], op), sums[me]) << "seed " << seed;
  EXPECT_EQ(all_gather(world, values[me]), values) << "seed " << seed;
  std::uint32_t const root = static_cast<std::uint32_t>(seed % world.size());
  EXPECT_EQ(broadcast(world, root, values[me]), values[root]) << "seed " << seed;
}

TEST_P(collectives, random_values_give_what_serial_code_gives) {
  using matrix = std::array<std::uint32_t, 4>;
  auto const product = [](matrix const& a, matrix const& b) {
    return matrix{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                  a[2] * b[1] + a[3] * b[3]};
  };
  auto const draw_matrix = [](auto& r) {
    auto const next = [&] { return static_cast<std::uint32_t>(r()); };
    return matrix{next(), next(), next(), next()};
  };
  using words = std::vector<std::string>;
  auto const chain = [](words a, words const& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  auto const draw_words = [](auto& r) {
    return words(r() % 4, std::string(r() % 90, static_cast<char>('a' + r() % 26)));
  };
  using count_map = std::map<std::uint16_t, std::uint64_t>;
  auto const merge = [](count_map a, count_map const& b) {
    for (auto const& [key, count] : b) a[key] += count;
    return a;
  };
  auto const draw_map = [](auto& r) { return count_map{{r() % 8, r()}, {r() % 8, r()}}; };
  run([&](team const& world) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      compare_with_serial<matrix>(world, seed, draw_matrix, product);
      compare_with_serial<words>(world, seed, draw_words, chain);
      compare_with_serial<count_map>(world, seed, draw_map, merge);
    }
  });
}

TEST_P(collectives, a_fast_root_is_kept_near_the_others) {
  run([&](team const& world) {
    for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(broadcast(world, 0, i), i);
  });
}

TEST_P(collectives, two_operations_of_a_team_are_under_way_at_once) {
  run([&](team const& world) {
    using sheaf::detail::tree_machine, sheaf::detail::tree_use;
    sheaf::detail::location& here = here_of(world);
    encoded a = sheaf::detail::encode(std::string("a"));
    encoded b = sheaf::detail::encode(std::string("b"));
    auto const append = [](std::string const& x, std::string const& y) { return x + y; };
    auto const op = sheaf::detail::operation_on<std::string>(append);
    tree_machine first({world, sheaf::detail::says("a")}, tree_use::all_reduce, a, op);
    tree_machine second({world, sheaf::detail::says("b")}, tree_use::all_reduce, b, op);
    bool first_done = false, second_done = false;
    here.wait(sheaf::detail::wait_kind::collective, [&] {
      // The members favour different ones.
      if (world.rank() % 2 == 0) first_done = first_done || first.advance();
      second_done = second_done || second.advance();
      first_done = first_done || first.advance();
      return first_done && second_done;
    });
    EXPECT_EQ(sheaf::detail::decode<std::string>(a), std::string(world.size(), 'a'));
    EXPECT_EQ(sheaf::detail::decode<std::string>(b), std::string(world.size(), 'b'));
  });
}

TEST(collectives_errors, a_root_that_is_no_member_is_refused) {
  setting const two{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination};
  run_job(two.options(), [&](team const& world) {
    std::string const no_member = "sheaf: team 0 has no member ", ranks = "; its ranks are 0 to 1";
    auto const minus_one = static_cast<std::uint32_t>(-1);
    EXPECT_EQ(sheaf_test::usage_text([&] { broadcast(world, 2, 1); }), no_member + "2" + ranks);
    EXPECT_EQ(sheaf_test::usage_text([&] { broadcast(world, minus_one, 1); }), no_member + "-1" + ranks);
  });
}

TEST(collectives_errors, of_calls_name_their_place) {
  setting const two{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination};
  run_job(two.options(), [&](team const& world) {
    std::string const here = " (called at " __FILE__ ":";
    auto const expect_place = [&](std::uint64_t line, auto call) {
      std::string const text = sheaf_test::text_of<sheaf::usage_error>(call);
      std::string const end = here + std::to_string(line) + ")";
      EXPECT_TRUE(text.size() > end.size() && text.substr(text.size() - end.size()) == end) << text << " has no" << end;
    };
    expect_place(__LINE__, [&] { broadcast(world, 2, 1); });
    expect_place(__LINE__, [&] { gather(world, 2, 1); });
    expect_place(__LINE__, [&] { all_to_all(world, std::vector<int>{1}); });
    expect_place(__LINE__, [&] { static_cast<void>(world.location_of(2)); });
    expect_place(__LINE__, [&] { static_cast<void>(world.subteam({0, 0})); });
    here_of(world).in().run_as_method([&] {
      expect_place(__LINE__, [&] { barrier(world); });
      expect_place(__LINE__, [&] { fence(world); });
      expect_place(__LINE__, [&] { all_reduce(world, 1, std::plus<>()); });
      expect_place(__LINE__, [&] { static_cast<void>(world.split(0)); });
    });
  });
  std::string const text = sheaf_test::text_of<sheaf::usage_error>([] { sheaf::fence(sheaf::world()); });
  EXPECT_NE(
      text.find(
          "sheaf: world was called outside of sheaf::run, or by a thread that is not attached (called at " __FILE__),
      text.npos)
      << text;
}

TEST(wave, sums_are_right_for_every_size) {
  for (unsigned n = 1; n <= 70; ++n) {
    for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
      setting const s{sheaf::transport_kind::sim, n, form};
      run_job(s.options(), [&](team const& world) {
        sheaf::detail::operation operation({world, sheaf::detail::says("waves")});
        sheaf::detail::wave wave(operation);
        for (std::uint64_t k = 1; k <= 3; ++k) {
          auto const flag = static_cast<std::uint8_t>(world.rank() == n / 2 ? k : 0);
          wave.begin({k * (world.rank() + 1), flag});
          here_of(world).wait(sheaf::detail::wait_kind::collective, [&] { return wave.advance(); });
          EXPECT_EQ(wave.sum().balance, k * n * (n + 1) / 2);
          EXPECT_EQ(wave.sum().flags, k);
        }
      });
    }
  }
}

/// Checks the tree over n ranks; every rank but the root must be the child of one other.
void check_tree(std::uint32_t n, std::uint32_t arity) {
  using sheaf::detail::tree_place;
  std::vector<std::uint32_t> seen(n, 0);
  for (std::uint32_t rank = 0; rank < n; ++rank) {
    tree_place const place(rank, n, arity);
    EXPECT_EQ(place.is_root(), rank == 0);
    EXPECT_LE(place.children(), arity);
    for (std::uint32_t i = 0; i < place.children(); ++i) {
      ASSERT_LT(place.child(i), n);
      ++seen[place.child(i)];
      EXPECT_EQ(tree_place(place.child(i), n, arity).parent(), rank);
      EXPECT_GT(place.child(i), i == 0 ? rank : place.child(i - 1));
    }
  }
  for (std::uint32_t rank = 1; rank < n; ++rank) EXPECT_EQ(seen[rank], 1u) << rank << " of " << n;
}

TEST(tree_place, parents_know_their_children) {
  for (std::uint32_t n = 1; n <= 40; ++n) {
    for (std::uint32_t arity = 1; arity <= 9; ++arity) check_tree(n, arity);
  }
}

}  // namespace
