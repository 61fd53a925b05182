// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

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
  explicit wave(operation& owner, fence_value* value = nullptr)
      : owner_(owner),
        tree_(owner.team(), 0, owner.arity(), false),
        disseminates_(!owner.uses_tree() && tree_.speaks()),
        value_(value) {
    if (disseminates_) tree_.keep_near();
  }

  /// Begins the next wave with this member's share; calls the others to it, unless they begin by themselves.
  void begin(wave_sum own, bool all_begin = true) {
    if (begun_) {
      if (!all_begin) call_others();
      owner_.forget_calls(++number_, call);
    }
    begun_ = true;
    called_ = sent_ = false;
    flags_ = own.flags;
    missing_ = tree_.children();
    bit_ = static_cast<int>(std::bit_width(tree_.places() - 1)) - 1;
    kept_ = {0, own.balance};
    shorten();
  }

  /// Goes on with what has arrived. True: the wave has ended, and `sum` is that of all members.
  bool advance() {
    if (missing_ != 0 && !collect()) return false;
    if (!(disseminates_ ? advance_dissemination() : ask_parent())) return false;
    if (tree_.children() == 0) return true;
    shorten();
    tree_.each_child([this](std::uint32_t rank) { send(rank, down); });
    return true;
  }

  [[nodiscard]] wave_sum sum() const { return {kept_.longer, flags_}; }

  /// Whether another has begun the next wave; passes that on, so that all learn of it soon, if some cannot begin yet.
  bool called() {
    if (!called_ && owner_.begun(static_cast<std::uint16_t>(number_ + 1))) call_others();
    return called_;
  }

 private:
  static constexpr std::uint8_t up = 0, down = 1, first_round = 2, call = 255;

  /// The balances of W_a and W_a+1. W_0 is nobody's.
  struct windows {
    std::uint64_t shorter = 0;
    std::uint64_t longer = 0;
  };

  static constexpr std::size_t short_message = 1 + sizeof(std::uint64_t), long_message = 1 + sizeof(windows);
  static constexpr std::size_t most_message = long_message + 2 * fence_value::room_bytes;

  [[gnu::noinline]] bool collect() {
    windows theirs;
    for (; missing_ != 0; --missing_) {
      if (!take(up, theirs)) return false;
      kept_.longer += theirs.longer;
      if (value_ != nullptr) value_->add(value_->longer, value_->their_longer);
    }
    return true;
  }

  bool advance_dissemination() {
    while (bit_ >= 0) {
      bool const one = ((tree_.places() - 1) >> bit_ & 1U) != 0;
      std::uint32_t const distance = shorter_length_ + (one ? 1 : 0);
      auto const step = static_cast<std::uint8_t>(first_round + bit_);
      if (!std::exchange(sent_, true)) send(ahead(distance), step);
      windows theirs;
      if (!take(step, theirs)) return false;
      std::uint64_t const own = one ? kept_.longer : kept_.shorter;
      kept_ = {own + theirs.shorter, own + theirs.longer};
      message_bytes_ = long_message;
      if (value_ != nullptr) [[unlikely]]
        add_values(one);
      shorter_length_ += distance;
      sent_ = false;
      --bit_;
    }
    return true;
  }

  [[gnu::noinline]] bool ask_parent() {
    if (tree_.is_root()) return true;
    if (!std::exchange(sent_, true)) send(tree_.parent(), up);
    return take(down, kept_);
  }

  /// A message is the flags, W_a+1, and W_a where a is not 0; then their values.
  void send(std::uint32_t rank, std::uint8_t step) {
    std::byte message[most_message];
    message[0] = std::byte{flags_};
    std::memcpy(message + 1, &kept_.longer, sizeof kept_.longer);
    std::memcpy(message + short_message, &kept_.shorter, sizeof kept_.shorter);
    if (value_ != nullptr) [[unlikely]]
      put_value(message);
    owner_.send(rank, number_, step, {message, message_bytes_});
  }

  /// Takes the message of a step, and adds its flags.
  bool take(std::uint8_t step, windows& w) {
    std::byte message[most_message];
    if (!owner_.take(number_, step, {message, message_bytes_})) return false;
    flags_ |= std::to_integer<std::uint8_t>(message[0]);
    std::memcpy(&w.longer, message + 1, sizeof w.longer);
    if (shorter_length_ != 0) std::memcpy(&w.shorter, message + short_message, sizeof w.shorter);
    if (value_ != nullptr) [[unlikely]]
      get_value(message, &w == &kept_);
    return true;
  }

  void put_value(std::byte* message) const {
    bool const both = shorter_length_ != 0;
    std::byte* const to = message + (both ? long_message : short_message);
    std::memcpy(to, value_->longer, value_->bytes);
    if (both) std::memcpy(to + value_->bytes, value_->shorter, value_->bytes);
  }

  void get_value(std::byte const* message, bool of_all) {
    bool const both = shorter_length_ != 0;
    std::byte const* const from = message + (both ? long_message : short_message);
    std::memcpy(of_all ? value_->longer : value_->their_longer, from, value_->bytes);
    if (both) std::memcpy(value_->their_shorter, from + value_->bytes, value_->bytes);
  }

  /// As a round adds the balances.
  void add_values(bool one) {
    fence_value& v = *value_;
    std::memcpy(one ? v.shorter : v.longer, one ? v.longer : v.shorter, v.bytes);
    v.add(v.longer, v.their_longer);
    if (shorter_length_ != 0) v.add(v.shorter, v.their_shorter);
    message_bytes_ += 2 * v.bytes;
  }

  /// The messages of the next step have W_a+1 only.
  void shorten() {
    shorter_length_ = 0;
    message_bytes_ = short_message + (value_ == nullptr ? 0 : value_->bytes);
  }

  /// Tells of the next wave, once, those who will get messages of it from this member anyway; nobody may have left.
  void call_others() {
    if (called_) return;
    called_ = true;
    auto const next = static_cast<std::uint16_t>(number_ + 1);
    auto const tell = [&](std::uint32_t rank) { owner_.send(rank, next, call, {}); };
    tree_.each_child(tell);
    if (!disseminates_) {
      if (!tree_.is_root()) tell(tree_.parent());
      return;
    }
    std::uint32_t length = 0;
    for (int bit = static_cast<int>(std::bit_width(tree_.places() - 1)) - 1; bit >= 0; --bit) {
      std::uint32_t const distance = length + ((tree_.places() - 1) >> bit & 1U);
      tell(ahead(distance));
      length += distance;
    }
  }

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
