// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/collective.hpp"
#include "runtime/team_tree.hpp"

namespace sheaf::detail {

/// Values of members whose ranks follow one another, cyclically, from a root's on, put together in the order of ranks:
/// those from the root's up and those below are kept apart until all are there. So the operation need not commute.
class cyclic_sum {
 public:
  /// One member's value; `from_root_up` says that its rank is not below the root's.
  void add(encoded value, bool from_root_up, encoded_operation op) {
    append(from_root_up ? upper_ : lower_, std::move(value), op);
  }

  /// What another has sent, whose members come after all that are here. Ends the job where that does not decode.
  void add(std::span<std::byte const> sent, encoded_operation op) {
    auto [upper, lower] = decode<both_parts>(sent);
    if (upper) append(upper_, std::move(*upper), op);
    if (lower) append(lower_, std::move(*lower), op);
  }

  [[nodiscard]] encoded to_send() const { return encode(both_parts(upper_, lower_)); }

  /// All values by rank. There is at least one.
  [[nodiscard]] encoded take(encoded_operation op) {
    if (lower_ && upper_) op.add_behind(*lower_, *upper_);
    return std::move(lower_ ? *lower_ : *upper_);
  }

 private:
  using both_parts = std::pair<std::optional<encoded>, std::optional<encoded>>;

  static void append(std::optional<encoded>& to, encoded value, encoded_operation op) {
    if (to) {
      op.add_behind(*to, value);
    } else {
      to = std::move(value);
    }
  }

  std::optional<encoded> upper_;
  std::optional<encoded> lower_;
};

// Collectives of encoded values as state machines: `advance` goes on with what has arrived; true: this member is done.

/// The steps of their messages: values and sums on their way to a root or leader, results back, and rounds.
enum value_step : std::uint8_t { value_up = 0, value_down = 1, value_round = 2 /* to 33 */ };

/// Which way values go: only down, only up, or both, to tell each member the sum of all, or of those before it.
enum class tree_use : std::uint8_t { broadcast, reduce, all_reduce, scan };

/// A collective operation over the tree of a team that has the call's root, or else rank 0, at its root (team_tree).
/// Sums go up and results come down, but those who speak for their processes may put the sums together by doubling:
/// at distance 1, 2, 4 … two exchange what they have, so that each has the values of 2, 4, 8 … neighbours. Where their
/// number is not a power of two, of the first ones each even one stands for a pair. All compute the same sums in the
/// same order, so even sums that depend on brackets are alike.
class tree_machine {
 public:
  tree_machine(collective_call const& call, tree_use use, encoded& value, encoded_operation op)
      : operation_(call),
        use_(use),
        tree_(operation_.team(), static_cast<std::uint32_t>(call.root.value_or(0)), operation_.arity(),
              use != tree_use::broadcast),
        value_(value),
        op_(op),
        doubles_(use == tree_use::all_reduce && !operation_.uses_tree() && tree_.speaks()),
        doublers_(std::bit_floor(tree_.places())),
        pairs_(tree_.places() - doublers_) {
    if (doubles_) tree_.keep_near();
    if (use != tree_use::broadcast) expected_ = tree_.children();
    if (use == tree_use::scan) own_ = value;
    if (use == tree_use::reduce) sum_.add(std::move(value), operation_.team().rank >= call.root, op);
  }

  bool advance() {
    if (heard_ != expected_ && !gather()) return false;
    if (!(doubles_ ? advance_doubling() : ask_parent())) return false;
    if (use_ == tree_use::scan) {
      pass_sums_on();
    } else if (use_ != tree_use::reduce) {
      tree_.each_child([this](std::uint32_t rank) { send_value(rank, value_down); });
    } else if (tree_.is_root()) {
      value_ = sum_.take(op_);
    }
    return true;
  }

 private:
  enum class stage : std::uint8_t { fold, rounds, unfold };

  bool gather() {
    auto const add = [this](std::span<std::byte const> theirs) {
      if (use_ == tree_use::reduce) return sum_.add(theirs, op_);
      op_.add_behind(value_, theirs);
      if (use_ == tree_use::scan) parts_.emplace_back(theirs.begin(), theirs.end());
    };
    for (; heard_ != expected_; ++heard_) {
      if (!operation_.use_from(tree_.child(heard_), value_up, add)) return false;
    }
    return true;
  }

  /// Gives the sum, and gets what comes down.
  bool ask_parent() {
    if (tree_.is_root()) return true;
    std::uint32_t const parent = tree_.parent();
    if (use_ == tree_use::reduce) {
      operation_.send(parent, 0, value_up, sum_.to_send());
      return true;
    }
    if (use_ != tree_use::broadcast && !std::exchange(sent_, true)) send_value(parent, value_up);
    return operation_.take_from(parent, value_down, value_);
  }

  /// To each child what comes before its subtree.
  void pass_sums_on() {
    if (parts_.empty()) return;
    encoded before = tree_.is_root() ? std::move(own_) : value_;
    if (!tree_.is_root()) op_.add_behind(before, own_);
    for (std::uint32_t i = 0; i < tree_.children(); ++i) {
      operation_.send(tree_.child(i), 0, value_down, before);
      if (i + 1 < tree_.children()) op_.add_behind(before, parts_[i]);
    }
  }

  bool advance_doubling() {
    if (stage_ == stage::fold && !fold()) return false;
    if (stage_ == stage::rounds && !exchange()) return false;
    return unfold();
  }

  /// The odd one of a pair has the even one stand for it.
  bool fold() {
    std::uint32_t const own = tree_.place();
    bool const in_pair = own < 2 * pairs_, odd = own % 2 == 1;
    if (in_pair && odd) send_value(tree_.rank_at(own - 1), value_up);
    if (in_pair && !odd && !add_from(own + 1, value_up, false)) return false;
    stage_ = in_pair && odd ? stage::unfold : stage::rounds;
    return true;
  }

  bool exchange() {
    std::uint32_t const own = tree_.place();
    std::uint32_t const mine = own < 2 * pairs_ ? own / 2 : own - pairs_;
    auto step = static_cast<std::uint8_t>(value_round + std::countr_zero(distance_));
    for (; distance_ < doublers_; distance_ *= 2, ++step) {
      std::uint32_t const other = mine ^ distance_;
      std::uint32_t const place = other < pairs_ ? 2 * other : other + pairs_;
      if (!std::exchange(sent_, true)) send_value(tree_.rank_at(place), step);
      if (!add_from(place, step, other < mine)) return false;
      sent_ = false;
    }
    stage_ = stage::unfold;
    return true;
  }

  bool unfold() {
    std::uint32_t const own = tree_.place();
    if (own >= 2 * pairs_) return true;
    if (own % 2 == 1) return operation_.take_from(tree_.rank_at(own - 1), value_down, value_);
    send_value(tree_.rank_at(own + 1), value_down);
    return true;
  }

  bool add_from(std::uint32_t place, std::uint8_t step, bool is_below) {
    return operation_.use_from(tree_.rank_at(place), step, [&](std::span<std::byte const> theirs) {
      is_below ? op_.add_before(value_, theirs) : op_.add_behind(value_, theirs);
    });
  }

  void send_value(std::uint32_t rank, std::uint8_t step) { operation_.send(rank, 0, step, bytes_of(value_)); }

  operation operation_;
  tree_use const use_;
  team_tree tree_;
  encoded& value_;
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

/// One value from each to each. Each begins with its neighbour, so that not all send to the same member at a time; what
/// one sends to the members of a process of another host shares packets.
class exchange_machine {
 public:
  /// `values` has one for each rank, and then one of each rank.
  exchange_machine(collective_call const& call, std::vector<encoded>& values) : operation_(call), values_(values) {}

  bool advance() {
    std::uint32_t const me = operation_.team().rank, size = operation_.team().size();
    if (!std::exchange(sent_, true)) {
      endpoint& net = operation_.here().connection();
      restoring const together(net.gathers, true);
      for (std::uint32_t i = 1; i < size; ++i) operation_.send((me + i) % size, 0, value_up, values_[(me + i) % size]);
      if (net.tells_near()) net.flush();
    }
    for (; next_ < size; ++next_) {
      std::uint32_t const rank = (me + size - next_) % size;
      if (!operation_.take_from(rank, value_up, values_[rank])) return false;
    }
    return true;
  }

 private:
  operation operation_;
  std::vector<encoded>& values_;
  std::uint32_t next_ = 1;  // how far behind this one the next rank to hear of is
  bool sent_ = false;
};

}  // namespace sheaf::detail
