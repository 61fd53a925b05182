// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/collective.hpp"
#include "runtime/team_tree.hpp"
#include "sheaf/message/team_state.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Values of members whose ranks follow one another, cyclically, from a root's on, put together in the order of ranks
/// although the root is not the first: what belongs to ranks from the root's up, and what belongs to ranks from 0 up to
/// the root's, are kept apart until all are there. So a tree may have any root, and the operation need not commute.
class cyclic_sum {
 public:
  /// One member's value; `from_root_up` says that its rank is not below the root's.
  void add(encoded value, bool from_root_up, encoded_operation op) {
    append(from_root_up ? upper_ : lower_, std::move(value), op);
  }

  /// What another has sent, whose members come after all that are here. Throws decode_error.
  void add(std::span<std::byte const> sent, encoded_operation op);

  /// As it is sent.
  [[nodiscard]] encoded to_send() const;

  /// All values by rank. There is at least one.
  [[nodiscard]] encoded take(encoded_operation op);

 private:
  static void append(std::optional<encoded>& to, encoded value, encoded_operation op);

  std::optional<encoded> upper_;
  std::optional<encoded> lower_;
};

// Collectives of values as state machines: `advance` goes on with what has arrived and says whether this member is
// done. Values are encoded.

/// What a collective over a tree does: `broadcast` only passes a value down, `reduce` only puts values together on
/// their way up; the others do both, to tell each member the sum of all, or of those before it.
enum class tree_use : std::uint8_t { broadcast, reduce, all_reduce, scan };

/// A collective operation over the tree of a team that has the call's root, or else rank 0, as its own (team_tree).
/// Sums go up it and results come down, but those who speak for their processes may put the sums of all together by
/// doubling, as in waves:
///
/// At distance 1, 2, 4 … two exchange what they have, so that each has the values of 2, 4, 8 … neighbours in the order
/// of places. Where their number is not a power of two, the first ones do it in pairs, of which the even one stands for
/// both. All compute the same sums in the same order, so even sums that depend on brackets are alike.
class tree_machine {
 public:
  tree_machine(collective_call const& call, tree_use use, encoded& value, encoded_operation op = {});
  /// A broadcast of a value whose size all members know.
  tree_machine(collective_call const& call, std::span<std::byte> value);
  bool advance();

 private:
  enum class stage : std::uint8_t { fold, rounds, unfold };

  tree_machine(collective_call const& call, tree_use use, encoded* value, std::span<std::byte> fixed_value,
               encoded_operation op);
  bool gather();
  bool ask_parent();
  void pass_sums_on();

  bool advance_doubling();
  bool fold();
  bool exchange();
  bool unfold();
  bool add_from(std::uint32_t place, std::uint8_t step, bool is_below);

  void send(std::uint32_t rank, std::uint8_t step, std::span<std::byte const> bytes) {
    operation_.send(rank, 0, step, bytes);
  }
  void send_value(std::uint32_t rank, std::uint8_t step) {
    send(rank, step, value_ ? bytes_of(*value_) : fixed_value_);
  }

  operation operation_;
  tree_use const use_;
  team_tree tree_;
  encoded* const value_;  // null: the other one
  std::span<std::byte> const fixed_value_;
  encoded_operation const op_;
  cyclic_sum sum_;              // of `reduce`, in place of the value
  encoded own_;                 // of `scan`
  std::vector<encoded> parts_;  // of `scan`: the children's sums
  std::uint32_t expected_ = 0;  // children that give values
  std::uint32_t heard_ = 0;     // those whose values are in
  bool sent_ = false;           // to the parent, or in this round
  bool const doubles_;
  std::uint32_t const doublers_;  // the largest power of two that is not above the number of those that speak
  std::uint32_t const pairs_;     // of those that fold
  std::uint32_t distance_ = 1;
  stage stage_ = stage::fold;
};

/// One value from each to each: directly, or where processes have several members with one message from each process to
/// each, between their leaders.
class exchange_machine {
 public:
  /// `values` has one for each rank, and then one of each rank.
  exchange_machine(collective_call const& call, std::vector<encoded>& values);
  bool advance();

 private:
  using row = std::vector<encoded>;  // values for all members, or from all
  enum class stage : std::uint8_t { collect, hear };

  bool advance_directly();
  bool follow();
  bool collect();
  void send_between();
  void keep_own();
  bool hear();
  void distribute();
  row take_apart(std::uint32_t rank, std::span<std::byte const> bytes, std::size_t expected) const;

  operation operation_;
  team_shape const& shape_;
  std::vector<encoded>& values_;
  std::vector<std::vector<std::uint32_t>> members_;  // ranks, by place of their leader
  std::vector<row> given_;                           // by the members of this process
  std::vector<row> got_;
  std::uint32_t next_ = 1;  // how far behind this one the next rank, or place, to hear of is
  stage stage_ = stage::collect;
  bool sent_ = false;
};

}  // namespace sheaf::detail
