// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/collective.hpp"
#include "runtime/cyclic_sum.hpp"
#include "runtime/tree_place.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

// Collectives of values as state machines: `advance` goes on with what has arrived and says whether this member is
// done. Values are encoded; they are put together over trees whose subtrees are intervals of ranks.

/// Where a member stands in the tree whose root is `root`, and who stands at a place of it.
tree_place place_from(std::uint32_t root, operation const& of);
std::uint32_t rank_at(std::uint32_t place, std::uint32_t root, operation const& of);

/// The root's value to all.
class broadcast_machine {
 public:
  broadcast_machine(location& here, team_state& team, std::uint32_t root, encoded& value);
  /// The same for a value whose size all members know.
  broadcast_machine(location& here, team_state& team, std::uint32_t root, std::span<std::byte> value);
  bool advance();

 private:
  bool take();

  operation operation_;
  std::uint32_t const root_;
  tree_place const place_;          // of the rank counted from the root
  encoded* const value_ = nullptr;  // null: the other one
  std::span<std::byte> const fixed_value_;
};

/// All values put together, to all. Two forms, as of waves:
///
/// - Doubling: at distance 1, 2, 4 … two members exchange what they have, so that each has the values of 2, 4, 8 …
///   neighbours in the order of ranks. Where the number of members is not a power of two, the first ones do it in
///   pairs, of which the even member stands for both. All members compute the same sums in the same order, so even
///   sums that depend on brackets are alike.
/// - A tree: sums go up, the result comes down.
class reduce_machine {
 public:
  reduce_machine(location& here, team_state& team, encoded& value, encoded_operation op);
  bool advance() { return operation_.form().tree ? advance_tree() : advance_doubling(); }

 private:
  enum class stage : std::uint8_t { fold, rounds, unfold };

  bool advance_tree();
  bool advance_doubling();
  bool fold();
  bool exchange();
  bool unfold();
  void add(encoded& theirs, bool from_below);

  operation operation_;
  tree_place const place_;
  encoded& value_;
  encoded_operation const op_;
  encoded theirs_;
  std::uint32_t const rank_;
  std::uint32_t const doublers_;  // the largest power of two that is not above the number of members
  std::uint32_t const pairs_;     // of members that fold
  std::uint32_t distance_ = 1;
  std::uint32_t heard_ = 0;  // children whose values are in
  stage stage_ = stage::fold;
  bool sent_ = false;
};

/// All values put together, to the root.
class reduce_to_one_machine {
 public:
  reduce_to_one_machine(location& here, team_state& team, collective_kind kind, std::uint32_t root, encoded& value,
                        encoded_operation op);
  bool advance();

 private:
  operation operation_;
  std::uint32_t const root_;
  tree_place const place_;  // of the rank counted from the root
  encoded& value_;
  encoded_operation const op_;
  cyclic_sum sum_;
  encoded theirs_;
  std::uint32_t heard_ = 0;
};

/// One value from each to each, directly.
class exchange_machine {
 public:
  /// `values` has one for each rank, and then one of each rank.
  exchange_machine(location& here, team_state& team, collective_kind kind, std::vector<encoded>& values);
  bool advance();

 private:
  operation operation_;
  std::vector<encoded>& values_;
  std::uint32_t next_ = 1;  // how far behind this one the next rank to hear of is
  bool sent_ = false;
};

/// To each the values of the ranks before it, put together.
class scan_machine {
 public:
  scan_machine(location& here, team_state& team, encoded& value, encoded_operation op);
  bool advance();

 private:
  bool gather();
  void pass_on();

  operation operation_;
  tree_place const place_;
  encoded& value_;
  encoded_operation const op_;
  encoded own_;
  std::vector<encoded> sums_;  // of the children heard of
  bool sent_ = false;
};

}  // namespace sheaf::detail
