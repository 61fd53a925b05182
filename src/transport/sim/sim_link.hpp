// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sheaf/transport/endpoint.hpp"
#include "transport/sim/step_set.hpp"

namespace sheaf::detail {

inline constexpr std::size_t sim_inline_capacity = 56;

/// One entry on its way. Inline bytes lie in it; a buffer's block belongs to it until it is consumed.
struct sim_entry {
  sim_entry* next = nullptr;
  std::byte* block = nullptr;  ///< null: inline
  std::size_t capacity = 0;    ///< of the block
  std::size_t size = 0;
  bool is_buffer = false;
  alignas(16) std::byte bytes[sim_inline_capacity];

  [[nodiscard]] std::byte const* data() const noexcept { return is_buffer ? block : bytes; }
};

/// First in, first out, through a member of what is in it.
template <class T, T* T::*Next>
class chain {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] T& front() const noexcept { return *first_; }

  void push(T& one) noexcept {
    one.*Next = nullptr;
    (first_ != nullptr ? last_->*Next : first_) = &one;
    last_ = &one;
  }
  T& pop() noexcept { return *std::exchange(first_, first_->*Next); }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};
using entry_queue = chain<sim_entry, &sim_entry::next>;

/// One ordered pair of locations in one class, made when it is first used. An entry passes through the stages in order.
struct sim_link {
  location_id source{};
  location_id dest{};
  traffic kind{};
  bool watched = false;       ///< the sender has seen it in use, so the next credit is news
  bool queued = false;        ///< in the receiver's list of links with arrivals
  std::uint64_t run = 0;      ///< the run that it was last used in
  std::uint32_t entries = 0;  ///< sent and without credit
  std::uint32_t buffers = 0;  ///< of these, buffers
  entry_queue travelling;
  entry_queue arrived;
  sim_entry* held = nullptr;  ///< delivered, not consumed
  entry_queue consumed;
  sim_link* next_ready = nullptr;
  step arrive;
  step credit;
};

/// Links with arrivals that may be delivered, in turn.
using ready_links = chain<sim_link, &sim_link::next_ready>;

}  // namespace sheaf::detail
