// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/wave.hpp"

#include <bit>

namespace sheaf::detail {
namespace {

template <class T>
std::span<std::byte const> bytes_of(T const& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

wave::wave(operation& owner)
    : owner_(owner), rank_(owner.team().rank), size_(owner.team().size()), place_(rank_, size_, owner.form().arity) {}

void wave::begin(wave_sum own) {
  if (begun_) {
    call_others();
    owner_.forget_calls(++number_, call);
  }
  begun_ = true;
  called_ = sent_ = false;
  sum_ = own;
  missing_ = place_.children();
  bit_ = static_cast<int>(std::bit_width(size_ - 1)) - 1;
  shorter_length_ = 0;
  kept_ = {0, own.balance, own.flags};
}

bool wave::advance_dissemination() {
  while (bit_ >= 0) {
    bool const one = ((size_ - 1) >> bit_ & 1U) != 0;
    std::uint32_t const distance = shorter_length_ + (one ? 1 : 0);
    auto const step = static_cast<std::uint8_t>(first_round + bit_);
    if (!sent_) {
      owner_.send(ahead(distance), number_, step, bytes_of(kept_));
      sent_ = true;
    }
    windows theirs;
    if (!owner_.take(number_, step, theirs)) return false;
    std::uint64_t const own = one ? kept_.longer : kept_.shorter;
    kept_ = {own + theirs.shorter, own + theirs.longer, kept_.flags | theirs.flags};
    shorter_length_ += distance;
    sent_ = false;
    --bit_;
  }
  sum_ = {kept_.longer, static_cast<std::uint8_t>(kept_.flags)};
  return true;
}

bool wave::advance_tree() {
  tree_message theirs;
  for (; missing_ != 0; --missing_) {
    if (!owner_.take(number_, up, theirs)) return false;
    sum_.balance += theirs.balance;
    sum_.flags |= static_cast<std::uint8_t>(theirs.flags);
  }
  if (!place_.is_root()) {
    if (!sent_) send_tree(place_.parent(), up);
    sent_ = true;
    if (!owner_.take(number_, down, theirs)) return false;
    sum_ = {theirs.balance, static_cast<std::uint8_t>(theirs.flags)};
  }
  for (std::uint32_t i = 0; i < place_.children(); ++i) send_tree(place_.child(i), down);
  return true;
}

void wave::send_tree(std::uint32_t rank, std::uint8_t step) {
  tree_message const message{sum_.balance, sum_.flags};
  owner_.send(rank, number_, step, bytes_of(message));
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
  if (!owner_.form().tree) {
    std::uint32_t length = 0;
    for (int bit = static_cast<int>(std::bit_width(size_ - 1)) - 1; bit >= 0; --bit) {
      std::uint32_t const distance = length + ((size_ - 1) >> bit & 1U);
      owner_.send(ahead(distance), next, call, {});
      length += distance;
    }
    return;
  }
  if (!place_.is_root()) owner_.send(place_.parent(), next, call, {});
  for (std::uint32_t i = 0; i < place_.children(); ++i) owner_.send(place_.child(i), next, call, {});
}

}  // namespace sheaf::detail
