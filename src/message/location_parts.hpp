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
#include "counts.hpp"
#include "message/silence.hpp"
#include "recycling_queue.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

/// Full buffers of one destination and class that wait for credit, oldest first.
struct overflow_queue {
  std::uint32_t dest = 0;
  traffic kind{};
  recycling_queue<buffer> waiting;
  std::size_t bytes = 0;  // in them
};

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
  std::vector<outbox> shown_boxes;                    ///< empty for ever: of requests, then of answers
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
  parts(std::uint32_t locations, std::uint64_t poll_warning_ms) : counts(locations), silence(poll_warning_ms) {}

  detail::location_counts counts;
  std::vector<detail::outbox> request_boxes;
  std::vector<detail::outbox> answer_boxes;
  std::vector<std::uint32_t> open[2];  // destinations with an open buffer, by traffic class
  std::uint32_t first_to_flush = 0;    // a place in them
  bool told_of_held = false;           // the user has been warned of those that are held now
  std::size_t share = 0;               // of the process's budget, for open buffers
  std::size_t open_bytes = 0;          // in them
  std::uint64_t opened_at = 0;         // when the oldest open buffer was opened, if flushing by age
  std::vector<overflow_queue> overflows;
  std::vector<overflow_queue> spare_overflows;  // empty ones, for their memory
  std::list<detail::execution> held;            // entries whose next run's object is not registered here yet
  recycling_queue<deferred_call> deferred;
  std::vector<std::uint32_t> answered;  // destinations to flush answers to when no continuation is due
  published_objects published;
  std::exception_ptr ending;  // what ends the job, once a wait has thrown it
  std::vector<std::unique_ptr<detail::team_state>> teams;
  std::vector<detail::team_state*> teams_by_number;
  std::unique_ptr<detail::outsiders> others;  // where there is a gate
  silence_watch silence;

  overflow_queue& overflow_to(std::uint32_t dest, traffic kind);
  void make_room(location& here, std::size_t bytes, bool may_overflow);
  /// Whether an open buffer does not stand behind others that wait for credit.
  [[nodiscard]] bool any_may_leave(location& here) const;
  [[nodiscard]] std::string explain_budget(location const& here) const;
};

}  // namespace sheaf
