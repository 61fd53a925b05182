// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/wave.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace sheaf::detail {

wave::wave(operation& owner, fence_value* value)
    : owner_(owner),
      tree_(owner.team(), 0, owner.arity(), false),
      disseminates_(!owner.uses_tree() && tree_.speaks()),
      value_(value) {
  if (disseminates_) tree_.keep_near();
}

void wave::begin(wave_sum own) {
  if (begun_) {
    call_others();
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

/// The messages of the next step have W_a+1 only.
void wave::shorten() {
  shorter_length_ = 0;
  message_bytes_ = short_message + (value_ == nullptr ? 0 : value_->bytes);
}

bool wave::advance() {
  if (missing_ != 0 && !collect()) return false;
  if (!(disseminates_ ? advance_dissemination() : ask_parent())) return false;
  if (tree_.children() == 0) return true;
  shorten();
  tree_.each_child([this](std::uint32_t rank) { send(rank, down); });
  return true;
}

bool wave::collect() {
  windows theirs;
  for (; missing_ != 0; --missing_) {
    if (!take(up, theirs)) return false;
    add(theirs);
  }
  return true;
}

bool wave::ask_parent() {
  if (tree_.is_root()) return true;
  if (!std::exchange(sent_, true)) send(tree_.parent(), up);
  return take(down, kept_);
}

bool wave::advance_dissemination() {
  while (bit_ >= 0) {
    bool const one = ((tree_.places() - 1) >> bit_ & 1U) != 0;
    std::uint32_t const distance = shorter_length_ + (one ? 1 : 0);
    auto const step = static_cast<std::uint8_t>(first_round + bit_);
    if (!sent_) {
      send(ahead(distance), step);
      sent_ = true;
    }
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

/// A message is the flags, W_a+1, and W_a where a is not 0; then their values.
void wave::send(std::uint32_t rank, std::uint8_t step) {
  std::byte message[most_message];
  message[0] = std::byte{flags_};
  std::memcpy(message + 1, &kept_.longer, sizeof kept_.longer);
  std::memcpy(message + short_message, &kept_.shorter, sizeof kept_.shorter);
  if (value_ != nullptr) [[unlikely]]
    put_value(message);
  owner_.send(rank, number_, step, {message, message_bytes_});
}

/// Takes the message of a step, and adds its flags.
bool wave::take(std::uint8_t step, windows& w) {
  std::byte message[most_message];
  if (!owner_.take(number_, step, {message, message_bytes_})) return false;
  flags_ |= std::to_integer<std::uint8_t>(message[0]);
  std::memcpy(&w.longer, message + 1, sizeof w.longer);
  if (shorter_length_ != 0) std::memcpy(&w.shorter, message + short_message, sizeof w.shorter);
  if (value_ != nullptr) [[unlikely]]
    get_value(message, &w == &kept_);
  return true;
}

void wave::put_value(std::byte* message) const {
  bool const both = shorter_length_ != 0;
  std::byte* const to = message + (both ? long_message : short_message);
  std::memcpy(to, value_->longer, value_->bytes);
  if (both) std::memcpy(to + value_->bytes, value_->shorter, value_->bytes);
}

void wave::get_value(std::byte const* message, bool of_all) {
  bool const both = shorter_length_ != 0;
  std::byte const* const from = message + (both ? long_message : short_message);
  std::memcpy(of_all ? value_->longer : value_->their_longer, from, value_->bytes);
  if (both) std::memcpy(value_->their_shorter, from + value_->bytes, value_->bytes);
}

/// As a round adds the balances.
void wave::add_values(bool one) {
  fence_value& v = *value_;
  std::memcpy(one ? v.shorter : v.longer, one ? v.longer : v.shorter, v.bytes);
  v.add(v.longer, v.their_longer);
  if (shorter_length_ != 0) v.add(v.shorter, v.their_shorter);
  message_bytes_ += 2 * v.bytes;
}

void wave::add(windows const& theirs) {
  kept_.longer += theirs.longer;
  if (value_ != nullptr) value_->add(value_->longer, value_->their_longer);
}

bool wave::called() {
  if (!called_ && owner_.begun(static_cast<std::uint16_t>(number_ + 1))) call_others();
  return called_;
}

/// Tells of the next wave, once, those who will get messages of it from this member anyway: so a member that has left
/// the last operation of its job is never sent anything that it has not waited for.
void wave::call_others() {
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

}  // namespace sheaf::detail
