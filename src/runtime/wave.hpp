// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "runtime/collective.hpp"
#include "runtime/team_tree.hpp"
#include "sheaf/runtime/fence.hpp"

namespace sheaf::detail {

/// What a wave adds up: one number, modulo 2^64, and bits that are or-ed.
struct wave_sum {
  std::uint64_t balance = 0;
  std::uint8_t flags = 0;
};

/// The waves of one operation, one after another: each is a reduction whose result every member learns, so that a wave
/// ends on no member before all have begun it. Two forms:
///
/// - Dissemination, ceil(log2 n) rounds for any n. W_k(i) is the sum over the k members that end with i. Member i keeps
///   W_a and W_a+1, from a = 0, and goes through the bits of n−1 from the top. Bit 0: it sends both to i+a; with those
///   of i−a it has W_2a(i) = W_a(i) + W_a(i−a) and W_2a+1(i) = W_a(i) + W_a+1(i−a). Bit 1: the same at distance a+1
///   gives W_2a+1(i) = W_a+1(i) + W_a(i−a−1) and W_2a+2(i) = W_a+1(i) + W_a+1(i−a−1). In the end W_a+1 is the sum.
/// - A tree: sums go up, the result comes down.
///
/// Either way between leaders of processes (team_shape), who collect from their followers, and tell them the result.
class wave {
 public:
  /// `value` rides in the same messages: its `longer` is this member's at the beginning, the reduction in the end.
  explicit wave(operation& owner, fence_value* value = nullptr);

  /// Begins the next wave with this member's share.
  void begin(wave_sum own);

  /// Goes on with what has arrived. True: the wave has ended, and `sum` is that of all members.
  bool advance();
  [[nodiscard]] wave_sum sum() const { return {kept_.longer, flags_}; }

  /// Whether another member has begun the next wave. Then this one passes that on, so that all learn of it in
  /// logarithmic time although some of them cannot begin yet.
  bool called();

 private:
  static constexpr std::uint8_t up = 0, down = 1, first_round = 2, call = 255;

  /// The balances of W_a and W_a+1. W_0 is nobody's.
  struct windows {
    std::uint64_t shorter = 0;
    std::uint64_t longer = 0;
  };

  static constexpr std::size_t short_message = 1 + sizeof(std::uint64_t), long_message = 1 + sizeof(windows);
  static constexpr std::size_t most_message = long_message + 2 * fence_value::most_bytes;

  [[gnu::noinline]] bool collect();
  bool advance_dissemination();
  [[gnu::noinline]] bool ask_parent();
  void send(std::uint32_t rank, std::uint8_t step);
  bool take(std::uint8_t step, windows& w);
  void put_value(std::byte* message) const;
  void get_value(std::byte const* message, bool of_all);
  void add_values(bool one);
  void shorten();
  void add(windows const& theirs);
  void call_others();
  /// The rank of who is so many places ahead among those that speak.
  [[nodiscard]] std::uint32_t ahead(std::uint32_t distance) const {
    std::uint32_t const own = tree_.place(), left = tree_.places() - own;
    return tree_.rank_at(distance < left ? own + distance : distance - left);
  }

  operation& owner_;
  team_tree tree_;
  bool const disseminates_;  // with the others that speak for their processes
  bool begun_ = false;
  std::uint16_t number_ = 0;  // of the wave begun last
  bool called_ = false;       // for the wave after number_
  bool sent_ = false;         // this round's message, or the sum to the parent
  int bit_ = -1;
  std::uint32_t shorter_length_ = 0;  // a
  std::uint32_t missing_ = 0;         // children not heard of
  std::uint8_t flags_ = 0;            // of all members heard of
  std::size_t message_bytes_ = 0;
  fence_value* const value_;
  windows kept_;  // in a tree the longer one is all that is known
};

}  // namespace sheaf::detail
