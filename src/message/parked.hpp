// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <vector>

#include "sheaf/message/executor.hpp"
#include "sheaf/message/recycling_queue.hpp"

namespace sheaf::detail {

/// A continuation whose turn will come.
struct deferred_call {
  void (*run)(void*) = nullptr;
  void* context = nullptr;
  task_frame const* resumes = nullptr;  // the coroutine, if it does
  run_scope scope{};                    // in which it sends
};

struct executor::parked {
  std::list<execution> held;  // entries whose next run's object is not registered here yet
  bool told_of_held = false;  // the user has been warned of those that are held now
  recycling_queue<deferred_call> deferred;
  std::vector<std::uint32_t> answered;  // destinations to flush answers to when no continuation is due
  std::exception_ptr ending;            // what ends the job, once a wait has thrown it
};

}  // namespace sheaf::detail
