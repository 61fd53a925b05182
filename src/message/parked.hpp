// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <utility>
#include <vector>

#include "sheaf/base/lease.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/transport/buffer.hpp"
#include "sheaf/transport/ring_queue.hpp"

namespace sheaf::detail {

/// Keeps the bytes of an entry for its execution and for all who were given a part of it; the last one gives the block
/// back. Until the entry is consumed the transport holds it.
class entry_keeper {
 public:
  explicit entry_keeper(std::atomic<std::size_t>& counted) : counted_(counted) {}

  lease share() {
    users_.fetch_add(1, std::memory_order_relaxed);
    return {[](void* self) { static_cast<entry_keeper*>(self)->drop(); }, this};
  }
  /// Only the execution can add users.
  [[nodiscard]] bool is_shared() const { return users_.load(std::memory_order_acquire) != 1; }
  void take(buffer&& block, std::size_t bytes) {
    block_ = std::move(block);
    counted_.fetch_add(bytes_ = bytes, std::memory_order_relaxed);
  }
  void drop() {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    counted_.fetch_sub(bytes_, std::memory_order_relaxed);
    delete this;
  }

 private:
  std::atomic<std::uint32_t> users_{1};  // the execution, until it ends
  std::atomic<std::size_t>& counted_;
  std::size_t bytes_ = 0;
  buffer block_;
};

/// A continuation whose turn will come.
struct deferred_call {
  void (*run)(void*) = nullptr;
  void* context = nullptr;
  task_frame const* resumes = nullptr;  // the coroutine, if it does
  run_scope scope{};                    // in which it sends
};

/// Runs what the state says. What the handler throws ends the job (`guarded_run.hpp` is for methods that may throw).
void run_handler(location& here, void* object, execution& state);

struct executor::parked {
  std::list<execution> held;     // entries whose next run's object is not registered here yet
  bool told_of_held = false;     // the user has been warned of those that are held now
  std::vector<std::byte> spare;  // memory for records that came by a route
  ring_queue<deferred_call> deferred;
  std::vector<std::uint32_t> answered;  // destinations to flush answers to when no continuation is due
  std::exception_ptr ending;            // what ends the job, once a wait has thrown it
};

}  // namespace sheaf::detail
