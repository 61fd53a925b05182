// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "sheaf/base/lease.hpp"
#include "sheaf/message/stream.hpp"

namespace sheaf::detail {

/// A stream of requests for each thread that sends them, made when it does so first, where others may enter the
/// location. When an attached thread has left, another one gets its streams.
class thread_streams : immovable<thread_streams> {
 public:
  explicit thread_streams(sender& of_all, stream_plan const& plan = {}) : all_(of_all), plan_(plan) {}

  /// The calling thread's stream. From outside of the gate, too.
  [[nodiscard]] stream& of_caller();
  /// The calling thread's stream, or null if it has none yet. Inside the gate.
  [[nodiscard]] stream* known_of_caller() const;
  /// Takes a stream that exists, of the location's own thread.
  void add(stream& one) { streams_.push_back(&one); }
  /// Ends those that were made.
  void end();

 private:
  stream& make(void const* thread);

  sender& all_;
  stream_plan const plan_;
  std::array<std::atomic<stream*>, 64> met_{};  // by a hash of the thread; as far as they have met
  std::vector<stream*> streams_;
};

}  // namespace sheaf::detail
