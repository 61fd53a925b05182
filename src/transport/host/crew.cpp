// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/crew.hpp"

#include <sched.h>

#include <memory>
#include <string>
#include <system_error>

#include "base/available.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::host {
namespace {

/// Binds the calling thread to one core while it lives. A core that the system refuses is no error: the thread floats.
class pinned {
 public:
  explicit pinned(int core) noexcept {
    bound_ = sched_getaffinity(0, sizeof before_, &before_) == 0;
    if (!bound_ || core >= CPU_SETSIZE) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(core), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  pinned(pinned const&) = delete;
  pinned& operator=(pinned const&) = delete;
  ~pinned() {
    if (bound_) sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_;
  bool bound_;
};

}  // namespace

void crew::run(std::function<void(std::uint32_t)> const& play, char const* variable,
               std::function<void()> const& tend) {
  std::vector<std::thread> threads;
  bool const complete = start(threads, play);
  playing_.store(count_ - 1, std::memory_order_relaxed);
  go(complete ? gate::open : gate::called_off);
  if (complete) play_bound(0, play);
  while (complete && tend && playing_.load(std::memory_order_acquire) != 0) tend();
  for (std::thread& t : threads) t.join();
  if (complete) return;
  throw option_error("sheaf: " + std::string(variable) + " is " + std::to_string(count_) +
                     "; the system gives this process 1 to " + std::to_string(threads.size() + 1) +
                     " threads now. Ask for fewer locations, or raise its limit (" + limit_ + ").");
}

bool crew::start(std::vector<std::thread>& threads, std::function<void(std::uint32_t)> const& play) {
  try {
    threads.reserve(count_);
    for (std::uint32_t i = 1; i < count_; ++i) {
      threads.emplace_back([this, i, &play] {
        gate_.wait(gate::closed, std::memory_order_acquire);
        if (gate_.load(std::memory_order_acquire) != gate::open) return;
        play_bound(i, play);
        playing_.fetch_sub(1, std::memory_order_release);
      });
    }
    return true;
  } catch (std::system_error const&) {
    limit_ = detail::limit_of_threads();
    return false;
  }
}

void crew::go(gate state) {
  gate_.store(state, std::memory_order_release);
  gate_.notify_all();
}

void crew::play_bound(std::uint32_t i, std::function<void(std::uint32_t)> const& play) {
  std::unique_ptr<pinned> const bound = i < cores_.size() ? std::make_unique<pinned>(cores_[i]) : nullptr;
  play(i);
}

}  // namespace sheaf::host
