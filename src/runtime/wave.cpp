// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/wave.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace sheaf::detail {

wave::wave(operation& owner)
    : owner_(owner),
      shape_(owner.team().shape),
      seconds_lead_(owner.form().in_turn && std::exchange(owner.team().second_leads, !owner.team().second_leads)),
      leader_(leader_at(shape_.place)),
      own_(shape_.place),
      size_(shape_.leader_count),
      place_(own_, size_, owner.form().arity) {}

void wave::begin(wave_sum own) {
  if (begun_) {
    call_others();
    owner_.forget_calls(++number_, call);
  }
  begun_ = true;
  called_ = sent_ = false;
  collected_ = 0;
  sum_ = own;
  missing_ = place_.children();
  bit_ = static_cast<int>(std::bit_width(size_ - 1)) - 1;
  shorter_length_ = 0;
  kept_ = {0, own.balance};
}

bool wave::advance() {
  if (leader_ != owner_.team().rank) return follow();
  if (collected_ != followers().size() && !collect()) return false;
  if (!(owner_.form().tree ? advance_tree() : advance_dissemination())) return false;
  shorter_length_ = 0;
  for (std::uint32_t const rank : followers()) send(rank, near_down, {0, sum_.balance});
  return true;
}

bool wave::follow() {
  if (!sent_) send(leader_, near_up, {0, sum_.balance});
  sent_ = true;
  windows all;
  if (!take(near_down, all)) return false;
  sum_.balance = all.longer;
  return true;
}

bool wave::collect() {
  windows theirs;
  for (; collected_ != followers().size(); ++collected_) {
    if (!take(near_up, theirs)) return false;
    sum_.balance += theirs.longer;
  }
  kept_.longer = sum_.balance;
  return true;
}

bool wave::advance_dissemination() {
  while (bit_ >= 0) {
    bool const one = ((size_ - 1) >> bit_ & 1U) != 0;
    std::uint32_t const distance = shorter_length_ + (one ? 1 : 0);
    auto const step = static_cast<std::uint8_t>(first_round + bit_);
    if (!sent_) {
      send_to_leader(ahead(distance), step, kept_);
      sent_ = true;
    }
    windows theirs;
    if (!take(step, theirs)) return false;
    std::uint64_t const own = one ? kept_.longer : kept_.shorter;
    kept_ = {own + theirs.shorter, own + theirs.longer};
    shorter_length_ += distance;
    sent_ = false;
    --bit_;
  }
  sum_.balance = kept_.longer;
  return true;
}

bool wave::advance_tree() {
  windows theirs;
  for (; missing_ != 0; --missing_) {
    if (!take(up, theirs)) return false;
    sum_.balance += theirs.longer;
  }
  if (!place_.is_root()) {
    if (!sent_) send_to_leader(place_.parent(), up, {0, sum_.balance});
    sent_ = true;
    if (!take(down, theirs)) return false;
    sum_.balance = theirs.longer;
  }
  for (std::uint32_t i = 0; i < place_.children(); ++i) send_to_leader(place_.child(i), down, {0, sum_.balance});
  return true;
}

/// A message is the flags, W_a+1, and W_a where a is not 0.
void wave::send(std::uint32_t rank, std::uint8_t step, windows const& w) {
  std::byte message[1 + sizeof w];
  message[0] = std::byte{sum_.flags};
  std::memcpy(message + 1, &w.longer, sizeof w.longer);
  std::memcpy(message + 1 + sizeof w.longer, &w.shorter, sizeof w.shorter);
  owner_.send(rank, number_, step, std::span(message, shorter_length_ == 0 ? 1 + sizeof w.longer : sizeof message));
}

/// Takes the message of a step, and adds its flags.
bool wave::take(std::uint8_t step, windows& w) {
  std::byte message[1 + sizeof w] = {};
  std::span const expected(message, shorter_length_ == 0 ? 1 + sizeof w.longer : sizeof message);
  if (!owner_.take(number_, step, expected)) return false;
  sum_.flags |= std::to_integer<std::uint8_t>(message[0]);
  std::memcpy(&w.longer, message + 1, sizeof w.longer);
  std::memcpy(&w.shorter, message + 1 + sizeof w.longer, sizeof w.shorter);
  return true;
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
  if (leader_ != owner_.team().rank) return owner_.send(leader_, next, call, {});
  for (std::uint32_t const rank : followers()) owner_.send(rank, next, call, {});
  call_leaders(next);
}

void wave::call_leaders(std::uint16_t next) {
  if (!owner_.form().tree) {
    std::uint32_t length = 0;
    for (int bit = static_cast<int>(std::bit_width(size_ - 1)) - 1; bit >= 0; --bit) {
      std::uint32_t const distance = length + ((size_ - 1) >> bit & 1U);
      owner_.send(leader_at(ahead(distance)), next, call, {});
      length += distance;
    }
    return;
  }
  if (!place_.is_root()) owner_.send(leader_at(place_.parent()), next, call, {});
  for (std::uint32_t i = 0; i < place_.children(); ++i) owner_.send(leader_at(place_.child(i)), next, call, {});
}

}  // namespace sheaf::detail
