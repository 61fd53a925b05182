// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/team_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using sheaf::location_id;
using sheaf::detail::team_state;
using sheaf::detail::team_tree;

using all_states = std::vector<std::unique_ptr<team_state>>;  // by rank

/// Members in an order of ranks, and how many locations a process has.
struct layout {
  char const* name;
  std::vector<std::uint32_t> members;
  std::uint32_t lanes;
};
void PrintTo(layout const& l, std::ostream* to) { *to << l.name; }

std::vector<std::uint32_t> first(std::uint32_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}
/// One location of each process, and then the next of each.
std::vector<std::uint32_t> in_turn(std::uint32_t processes, std::uint32_t lanes) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    for (std::uint32_t p = 0; p < processes; ++p) all.push_back(p * lanes + lane);
  return all;
}

class team_trees : public testing::TestWithParam<layout> {
 protected:
  std::vector<location_id> const members = [] {
    std::vector<location_id> all;
    for (std::uint32_t const m : GetParam().members) all.push_back(location_id{m});
    return all;
  }();
  std::uint32_t const size = static_cast<std::uint32_t>(members.size());

  std::uint32_t process(std::uint32_t rank) const { return number(members[rank]) / GetParam().lanes; }
  std::size_t processes() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t r = 0; r < size; ++r) all.push_back(process(r));
    std::sort(all.begin(), all.end());
    return static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
  }

  /// The members of each process follow one another by rank.
  bool in_blocks() const {
    std::size_t runs = 1;
    for (std::uint32_t r = 1; r < size; ++r) runs += process(r) != process(r - 1) ? 1 : 0;
    return runs == processes();
  }

  using visitor = std::function<void(std::uint32_t origin, std::uint32_t arity, all_states const&)>;
  void each_tree(visitor const& visit) const {
    all_states states;
    for (std::uint32_t rank = 0; rank < size; ++rank)
      states.push_back(std::make_unique<team_state>(sheaf::detail::team_number{1, 0}, members, rank, GetParam().lanes));
    for (std::uint32_t const arity : {1u, 2u, 4u, 64u})
      for (std::uint32_t origin = 0; origin < size; ++origin) visit(origin, arity, states);
  }
};

/// Both trees: one that puts ranks together in their order, and one that need not.
TEST_P(team_trees, reach_everybody_once_and_enter_each_process_once_where_the_order_lets_them) {
  each_tree([&](std::uint32_t origin, std::uint32_t arity, all_states const& states) {
    for (bool const in_order : {true, false}) {
      std::vector<int> reached(size, 0);
      std::size_t between = 0;
      for (std::uint32_t rank = 0; rank < size; ++rank) {
        team_tree const tree(*states[rank], origin, arity, in_order);
        EXPECT_EQ(tree.is_root(), rank == origin);
        std::uint32_t children = 0;
        tree.each_child([&](std::uint32_t child) {
          ++children;
          ++reached[child];
          if (process(child) != process(rank)) ++between;
          EXPECT_EQ(team_tree(*states[child], origin, arity, in_order).parent(), rank) << "of " << child;
        });
        EXPECT_EQ(tree.children(), children);
      }
      for (std::uint32_t rank = 0; rank < size; ++rank) EXPECT_EQ(reached[rank], rank == origin ? 0 : 1) << rank;
      if (in_order && !in_blocks()) continue;
      EXPECT_EQ(between, processes() - 1) << "origin " << origin << ", arity " << arity << ", " << in_order;
    }
  });
}

/// What a member hands up when it appends its children's after its own.
std::vector<std::uint32_t> put_together(all_states const& states, std::uint32_t rank, std::uint32_t origin,
                                        std::uint32_t arity) {
  std::vector<std::uint32_t> all{rank};
  team_tree const tree(*states[rank], origin, arity);
  for (std::uint32_t i = 0; i < tree.children(); ++i) {
    auto const theirs = put_together(states, tree.child(i), origin, arity);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return all;
}

TEST_P(team_trees, in_order_put_ranks_together_from_the_origin_on) {
  each_tree([&](std::uint32_t origin, std::uint32_t arity, all_states const& states) {
    auto expected = first(size);
    std::rotate(expected.begin(), expected.begin() + origin, expected.end());
    EXPECT_EQ(put_together(states, origin, origin, arity), expected) << "arity " << arity;
  });
}

INSTANTIATE_TEST_SUITE_P(layouts, team_trees,
                         testing::Values(layout{"no_processes", first(11), 1}, layout{"one_process", first(3), 4},
                                         layout{"two_of_two", first(4), 2}, layout{"five_of_three", first(15), 3},
                                         layout{"last_one_short", first(8), 3}, layout{"in_turn", in_turn(5, 3), 3},
                                         layout{"odd_ones", {1, 3, 5, 7, 9, 11}, 4},
                                         layout{"backwards", {8, 9, 4, 6, 0, 1, 2}, 4}),
                         [](auto const& one) { return std::string(one.param.name); });

}  // namespace
