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

/// Who acts for whom in a collective operation of values: within a process first, the leader of each process between
/// them. Representatives are numbered by their places; where a transport knows no processes, everybody is one, at the
/// place of its rank.
class representatives {
 public:
  /// `in_order`: values are put together in the order of ranks, and those of one process before others'. Where the
  /// members of processes do not follow one another in the team, everybody acts for itself then.
  representatives(team_state const& team, bool in_order)
      : team_(team), flat_(team.shape.all_lead() || (in_order && !team.shape.in_blocks())) {}

  [[nodiscard]] bool acts() const { return leader() == team_.rank; }
  /// Of this member.
  [[nodiscard]] std::uint32_t leader() const { return flat_ ? team_.rank : team_.shape.leader; }
  [[nodiscard]] std::uint32_t place() const { return flat_ ? team_.rank : team_.shape.place; }
  [[nodiscard]] std::uint32_t count() const { return flat_ ? team_.size() : team_.shape.leader_count; }
  /// Of this representative: ranks in their order, all above its own.
  [[nodiscard]] std::span<std::uint32_t const> followers() const {
    return flat_ ? std::span<std::uint32_t const>() : team_.shape.followers();
  }

  // For representatives.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t place) const { return flat_ ? place : team_.shape.rank_of(place); }
  /// The place of who acts for a member.
  [[nodiscard]] std::uint32_t place_for(std::uint32_t rank) const { return flat_ ? rank : team_.shape.place_of(rank); }

  /// The ranks that each place acts for, in their order.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> members() const {
    std::vector<std::vector<std::uint32_t>> all(count());
    for (std::uint32_t rank = 0; rank < team_.size(); ++rank) all[place_for(rank)].push_back(rank);
    return all;
  }

 private:
  team_state const& team_;
  bool const flat_;
};

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
// done. Values are encoded. They go within processes first and then between one representative of each; there they are
// put together over trees whose subtrees are intervals of places.

/// Where a representative stands in the tree whose root is at `root`, and who stands at a place of it.
tree_place place_from(std::uint32_t root, representatives const& of, std::uint32_t arity);
std::uint32_t rank_at(std::uint32_t place, std::uint32_t root, representatives const& of);

/// Values between a representative and its followers.
class follower_values {
 public:
  /// A representative's: those of its followers, in their order, put together with its own. True: all are in `value`.
  /// `each`, where given, keeps them apart.
  bool collect(operation& in, representatives const& of, encoded& value, encoded_operation op,
               std::vector<encoded>* each = nullptr);
  /// A follower's: gives its value, and gets what replaces it, if it `wants` that. True: done.
  bool follow(operation& in, representatives const& of, encoded& value, bool wants = true);

 private:
  std::size_t heard_ = 0;
  bool sent_ = false;
};

/// The root's value to all.
class broadcast_machine {
 public:
  broadcast_machine(collective_call const& call, encoded& value);
  /// The same for a value whose size all members know.
  broadcast_machine(collective_call const& call, std::span<std::byte> value);
  bool advance();

 private:
  broadcast_machine(collective_call const& call, encoded* value, std::span<std::byte> fixed_value);
  bool take();
  bool take_from(std::uint32_t rank, std::uint8_t step);
  void send(std::uint32_t rank, std::uint8_t step);

  operation operation_;
  representatives const parts_;
  std::uint32_t const root_;
  std::uint32_t const root_place_;  // of who acts for it; for representatives
  tree_place const place_;          // counted from that
  encoded* const value_;            // null: the other one
  std::span<std::byte> const fixed_value_;
};

/// All values put together, to all. Two forms between representatives, as of waves:
///
/// - Doubling: at distance 1, 2, 4 … two exchange what they have, so that each has the values of 2, 4, 8 … neighbours
///   in the order of places. Where their number is not a power of two, the first ones do it in pairs, of which the even
///   one stands for both. All compute the same sums in the same order, so even sums that depend on brackets are alike.
/// - A tree: sums go up, the result comes down.
class reduce_machine {
 public:
  reduce_machine(collective_call const& call, encoded& value, encoded_operation op);
  bool advance();

 private:
  enum class stage : std::uint8_t { collect, fold, rounds, unfold };

  bool advance_tree();
  bool advance_doubling();
  bool fold();
  bool exchange();
  bool unfold();
  bool add_from(std::uint32_t place, std::uint8_t step, bool is_below);
  void send_to(std::uint32_t place, std::uint8_t step) { operation_.send(parts_.rank_of(place), 0, step, value_); }
  bool take_from(std::uint32_t place, std::uint8_t step, encoded& to) {
    return operation_.take_from(parts_.rank_of(place), step, to);
  }

  operation operation_;
  representatives const parts_;
  std::uint32_t const own_;  // place
  tree_place const place_;
  encoded& value_;
  encoded_operation const op_;
  follower_values near_;
  std::uint32_t const doublers_;  // the largest power of two that is not above the number of representatives
  std::uint32_t const pairs_;     // of those that fold
  std::uint32_t distance_ = 1;
  std::uint32_t heard_ = 0;  // children whose values are in
  stage stage_ = stage::collect;
  bool sent_ = false;
};

/// All values put together, to the root.
class reduce_to_one_machine {
 public:
  reduce_to_one_machine(collective_call const& call, encoded& value, encoded_operation op);
  bool advance();

 private:
  void end();

  operation operation_;
  representatives const parts_;
  std::uint32_t const root_;
  std::uint32_t const root_place_;  // of who acts for it; for representatives
  tree_place const place_;          // counted from that
  encoded& value_;
  encoded_operation const op_;
  follower_values near_;
  std::optional<cyclic_sum> sum_;  // once the followers' values are in
  std::uint32_t heard_ = 0;
};

/// One value from each to each: directly, or where processes have several members with one message from each process to
/// each, between representatives.
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
  representatives const parts_;
  std::vector<encoded>& values_;
  std::vector<std::vector<std::uint32_t>> members_;  // ranks, by place of who acts for them
  std::vector<row> given_;                           // by the members of this process
  std::vector<row> got_;
  std::uint32_t next_ = 1;  // how far behind this one the next rank, or place, to hear of is
  stage stage_ = stage::collect;
  bool sent_ = false;
};

/// To each the values of the ranks before it, put together.
class scan_machine {
 public:
  scan_machine(collective_call const& call, encoded& value, encoded_operation op);
  bool advance();

 private:
  bool gather();
  void pass_on();

  operation operation_;
  representatives const parts_;
  tree_place const place_;
  encoded& value_;
  encoded_operation const op_;
  encoded const own_;
  follower_values near_;
  std::vector<encoded> followers_;
  std::optional<encoded> block_;  // this one's and its followers'
  std::vector<encoded> sums_;     // of the children heard of
  bool sent_ = false;
};

}  // namespace sheaf::detail
