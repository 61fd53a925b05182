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

/// Entries in the order sent.
class entry_queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] sim_entry& front() const noexcept { return *first_; }

  void push(sim_entry& e) noexcept {
    e.next = nullptr;
    (first_ != nullptr ? last_->next : first_) = &e;
    last_ = &e;
  }

  sim_entry& pop() noexcept {
    sim_entry& e = *first_;
    first_ = e.next;
    return e;
  }

 private:
  sim_entry* first_ = nullptr;
  sim_entry* last_ = nullptr;
};

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
class ready_links {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }

  void push(sim_link& link) noexcept {
    if (std::exchange(link.queued, true)) return;
    link.next_ready = nullptr;
    (first_ != nullptr ? last_->next_ready : first_) = &link;
    last_ = &link;
  }

  sim_link& pop() noexcept {
    sim_link& link = *first_;
    first_ = link.next_ready;
    link.queued = false;
    return link;
  }

 private:
  sim_link* first_ = nullptr;
  sim_link* last_ = nullptr;
};

}  // namespace sheaf::detail
