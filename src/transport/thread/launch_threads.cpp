// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <sched.h>

#include <atomic>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "base/cores.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/thread/thread_endpoint.hpp"

namespace sheaf {
namespace {

using threads::thread_endpoint;
using threads::thread_job;

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

/// Holds the threads until all have started, or sends them home when one could not.
enum class gate : std::uint8_t { closed, open, called_off };

class thread_team {
 public:
  thread_team(options const& settings, location_body& body)
      : job_(settings), body_(body), cores_(cores_for(settings)), endpoints_(settings.locations) {}

  void run() {
    std::vector<std::thread> threads;
    bool const complete = start(threads);
    go(complete ? gate::open : gate::called_off);
    if (complete) play(0);
    for (std::thread& t : threads) t.join();
    if (!complete) refuse(threads.size() + 1);
  }

 private:
  /// The cores to bind to, one each; empty: the threads float.
  static std::vector<int> cores_for(options const& settings) {
    if (!settings.pin || settings.locations == 1 || settings.locations > detail::usable_cores()) return {};
    return detail::allowed_cores();
  }

  bool start(std::vector<std::thread>& threads) {
    try {
      threads.reserve(job_.settings.locations);
      for (std::uint32_t i = 1; i < job_.settings.locations; ++i) {
        threads.emplace_back([this, i] {
          gate_.wait(gate::closed, std::memory_order_acquire);
          if (gate_.load(std::memory_order_acquire) == gate::open) play(i);
        });
      }
      return true;
    } catch (std::system_error const&) {
      return false;
    }
  }

  void go(gate state) {
    gate_.store(state, std::memory_order_release);
    gate_.notify_all();
  }

  void play(std::uint32_t i) {
    std::unique_ptr<pinned> const bound = i < cores_.size() ? std::make_unique<pinned>(cores_[i]) : nullptr;
    endpoints_[i] = std::make_unique<thread_endpoint>(location_id{i}, job_);
    body_.run(*endpoints_[i]);
  }

  [[noreturn]] void refuse(std::size_t started) const {
    throw option_error("sheaf: SHEAF_LOCATIONS is " + std::to_string(job_.settings.locations) +
                       "; the system gives this process 1 to " + std::to_string(started) +
                       " threads now. Ask for fewer locations, or raise its limit (ulimit -u).");
  }

  thread_job job_;
  location_body& body_;
  std::vector<int> const cores_;
  std::atomic<gate> gate_{gate::closed};
  std::vector<std::unique_ptr<thread_endpoint>> endpoints_;  ///< each made by its own thread, outliving all threads
};

}  // namespace

void launch_threads(options const& settings, location_body& body) { thread_team(settings, body).run(); }

}  // namespace sheaf
