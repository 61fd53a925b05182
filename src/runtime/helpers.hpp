// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// The locations of one process that serve each other: one that rests sees to those that compute (hand_over).
class siblings {
 public:
  /// From the location's own thread.
  void join(location& here);
  /// Returns once nobody serves it any more.
  void part(location& here);
  /// What `here` does while it rests; outside of its gate.
  void serve_all_but(location& here);

 private:
  struct member {
    explicit member(location& l) : here(&l) {}
    location* here;
    std::atomic<int> servers{0};
  };

  std::mutex mutex_;
  std::vector<std::unique_ptr<member>> members_;
};

/// What sees to a location's messages while it computes, as SHEAF_PROGRESS says; lives as long as its program runs.
class helpers {
 public:
  helpers(location& here, siblings& others);
  ~helpers();
  helpers& operator=(helpers&&) = delete;

  /// Throws usage_error where a thread is still attached.
  void check_nobody_attached() const;

 private:
  void start(unsigned threads);

  location& here_;
  siblings& others_;
  std::vector<std::thread> threads_;
  std::vector<std::uint64_t> fibers_;  // instead
};

}  // namespace sheaf::detail
