// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "recycling_queue.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/method_table.hpp"

namespace sheaf {

/// Full buffers of one destination and class that wait for credit, oldest first.
struct overflow_queue {
  std::uint32_t dest = 0;
  traffic kind{};
  recycling_queue<buffer> waiting;
};

/// A continuation whose turn will come.
struct deferred_call {
  void (*run)(void*) = nullptr;
  void* context = nullptr;
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
  std::vector<detail::outbox> request_boxes;
  std::vector<detail::outbox> answer_boxes;
  std::vector<std::uint32_t> open[2];  // destinations with an open buffer, by traffic class
  std::uint32_t first_to_flush = 0;
  std::uint64_t opened_at = 0;  // when the oldest open buffer was opened, if flushing by age
  std::vector<overflow_queue> overflows;
  std::vector<overflow_queue> spare_overflows;  // empty ones, for their memory
  std::list<detail::execution> held;            // entries whose next run's object is not registered here yet
  bool told_of_held = false;                    // the user has been warned of those that are held now
  recycling_queue<deferred_call> deferred;
  detail::method_table methods;
  published_objects published;
  std::vector<std::unique_ptr<detail::team_state>> teams;
  std::vector<detail::team_state*> teams_by_number;

  overflow_queue& overflow_to(std::uint32_t dest, traffic kind);
};

}  // namespace sheaf
