// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <deque>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "base/gate.hpp"
#include "message/recycling_queue.hpp"
#include "message/sender.hpp"
#include "message/silence.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

namespace detail {

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

}  // namespace detail

/// A continuation whose turn will come.
struct deferred_call {
  void (*run)(void*) = nullptr;
  void* context = nullptr;
  detail::task_frame const* resumes = nullptr;  // the coroutine, if it does
};

/// Objects that this location published. A place is used again as late as possible, and never with a generation that it
/// had.
struct published_objects {
  struct place {
    void* object = nullptr;
    detail::type_token type = nullptr;
    std::uint32_t generation = 0;
  };
  std::vector<place> places;
  recycling_queue<std::uint32_t> free;
};

/// What the message path touches rarely.
struct location::parts {
  parts(location& here, endpoint& connection, options const& settings)
      : out(here, connection, settings),
        silence(settings.transport == transport_kind::sim ? 0 : settings.poll_warning_ms) {}

  detail::sender out;
  bool told_of_held = false;          // the user has been warned of those that are held now
  std::list<detail::execution> held;  // entries whose next run's object is not registered here yet
  recycling_queue<deferred_call> deferred;
  std::vector<std::uint32_t> answered;  // destinations to flush answers to when no continuation is due
  published_objects published;
  std::exception_ptr ending;  // what ends the job, once a wait has thrown it
  std::vector<std::unique_ptr<detail::team_state>> teams;
  std::vector<detail::team_state*> teams_by_number;
  std::unique_ptr<detail::outsiders> others;  // where there is a gate
  silence_watch silence;
};

}  // namespace sheaf
