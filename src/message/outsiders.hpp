// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "base/gate.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// An entry, or a part of one, that was taken off the transport for whoever may execute it, mostly by an outsider.
struct aside_entry {
  location_id source{};
  traffic kind{};
  std::vector<std::byte> bytes;
  std::span<std::byte const>
      lent{};  ///< instead of `bytes`: the transport's, not consumed, so that its pair stands still

  [[nodiscard]] bool is_lent() const { return lent.data() != nullptr; }
  [[nodiscard]] std::span<std::byte const> all() const { return is_lent() ? lent : bytes; }
};

/// An attached thread's wait.
struct guest_wait {
  wait_site const& site;
  bool (*done)(void*);
  void* context;
  bool parked = false;  ///< it has seen that it is not done, and does nothing until something changes here
};

/// What outsiders have to do with a location.
struct outsiders {
  using queue = std::deque<std::unique_ptr<aside_entry>>;

  detail::gate gate;
  queue answers;                                      ///< for the owner
  queue requests;                                     ///< for the owner, in order
  std::size_t stalled = 0;                            ///< of these, from the first on, known to be behind held ones
  queue concurrent;                                   ///< runs of concurrent methods, for anybody
  std::vector<void const*> unmade;                    ///< objects whose constructors may still be at work
  std::size_t bytes = 0;                              ///< of all requests that were copied and are not executed
  std::uint64_t taken = 0;                            ///< requests that the owner has begun
  std::vector<std::unique_ptr<aside_entry>> in_hand;  ///< what the owner executes or holds
  std::atomic<std::size_t> present{0};  ///< attached threads, until they touch nothing of the location any more
  std::vector<guest_wait const*> waits;
  void (*serve)(void*) = nullptr;
  void* serve_context = nullptr;
};

}  // namespace sheaf::detail
