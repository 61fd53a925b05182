// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>

#include "runtime/collective.hpp"
#include "runtime/tree_place.hpp"

namespace sheaf::detail {

/// What a wave adds up: one number, modulo 2^64, and bits that are or-ed.
struct wave_sum {
  std::uint64_t balance = 0;
  std::uint8_t flags = 0;
};

/// The waves of one operation, one after another: each is a reduction whose result every member learns, so that a wave
/// ends on no member before all have begun it. Two forms:
///
/// - Dissemination, ceil(log2 n) rounds for any n. Let W_k(i) be the sum over the k members that end with i. The member
/// keeps
///   W_a and W_a+1, from a = 0, and goes through the bits of n−1 from the top. Bit 0: it sends both to i+a; with those
///   of i−a it has W_2a(i) = W_a(i) + W_a(i−a) and W_2a+1(i) = W_a(i) + W_a+1(i−a). Bit 1: the same at distance a+1
///   gives W_2a+1(i) = W_a+1(i) + W_a(i−a−1) and W_2a+2(i) = W_a+1(i) + W_a+1(i−a−1). In the end a = n−1, and W_a+1 is
///   the sum.
/// - A tree: sums go up, the result comes down.
///
/// Either way it is one between the leaders of processes (team_shape), who have collected from their followers, and
/// tell them the result. Where two members of a process share a core, and one of them leads always, the core changes
/// between them twice for each operation: to the leader, which ends it, and to the follower, which learns of that and
/// begins the next one. If they lead in turn (wave_form::in_turn), who has learned of the last operation is the one who
/// ends the next, and one change is enough.
class wave {
 public:
  explicit wave(operation& owner);

  /// Begins the next wave with this member's share.
  void begin(wave_sum own);

  /// Goes on with what has arrived. True: the wave has ended, and `sum` is that of all members.
  bool advance();
  [[nodiscard]] wave_sum sum() const { return sum_; }

  /// Whether another member has begun the wave that follows the last one. When it has, this member passes that on, so
  /// that all learn of it in logarithmic time although some of them cannot begin yet.
  bool called();

 private:
  static constexpr std::uint8_t up = 0, down = 1, first_round = 2, near_up = 253, near_down = 254, call = 255;

  /// The balances of W_a and W_a+1. W_0 is nobody's.
  struct windows {
    std::uint64_t shorter = 0;
    std::uint64_t longer = 0;
  };

  bool follow();
  bool collect();
  bool advance_dissemination();
  bool advance_tree();
  void send(std::uint32_t rank, std::uint8_t step, windows const& w);
  void send_to_leader(std::uint32_t place, std::uint8_t step, windows const& w) { send(leader_at(place), step, w); }
  bool take(std::uint8_t step, windows& w);
  void call_others();
  void call_leaders(std::uint16_t next);
  [[nodiscard]] std::uint32_t ahead(std::uint32_t distance) const {
    std::uint32_t const left = size_ - own_;
    return distance < left ? own_ + distance : distance - left;
  }

  /// The rank of who leads the process at a place.
  [[nodiscard]] std::uint32_t leader_at(std::uint32_t place) const {
    return seconds_lead_ ? shape_.second_of(place) : shape_.rank_of(place);
  }
  [[nodiscard]] std::span<std::uint32_t const> followers() const {
    return leader_ == shape_.leader ? shape_.followers() : shape_.near().first(1);
  }

  operation& owner_;
  team_shape const& shape_;
  bool const seconds_lead_;
  std::uint32_t const leader_;  // rank, of this process
  std::uint32_t const own_;     // place among the leaders
  std::uint32_t const size_;    // leaders
  tree_place const place_;
  bool begun_ = false;
  std::uint16_t number_ = 0;   // of the wave begun last
  bool called_ = false;        // for the wave after number_
  bool sent_ = false;          // this round's message; in a tree: the sum to the parent; a follower's share
  std::size_t collected_ = 0;  // followers heard of
  int bit_ = -1;
  std::uint32_t shorter_length_ = 0;  // a
  std::uint32_t missing_ = 0;         // children not heard of
  windows kept_;
  wave_sum sum_;  // of a round: its flags are those of all members heard of
};

}  // namespace sheaf::detail
