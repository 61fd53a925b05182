// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/crew.hpp"

#include <sched.h>

#include <atomic>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/available.hpp"
#include "base/cores.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/host/host_endpoint.hpp"

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

/// Holds the threads until all have started, or sends them home when one could not.
enum class gate : std::uint8_t { closed, open, called_off };

}  // namespace

void play_together(std::uint32_t count, std::vector<int> const& cores, std::function<void(std::uint32_t)> const& play,
                   char const* variable, std::function<void()> const& tend) {
  std::atomic<gate> way{gate::closed};
  std::atomic<std::uint32_t> playing{count - 1};
  auto const play_bound = [&](std::uint32_t i) {
    std::unique_ptr<pinned> const bound = i < cores.size() ? std::make_unique<pinned>(cores[i]) : nullptr;
    play(i);
  };
  std::vector<std::thread> threads;
  char const* refused_by = nullptr;
  try {
    threads.reserve(count);
    for (std::uint32_t i = 1; i < count; ++i) {
      threads.emplace_back([&, i] {
        way.wait(gate::closed, std::memory_order_acquire);
        if (way.load(std::memory_order_acquire) != gate::open) return;
        play_bound(i);
        playing.fetch_sub(1, std::memory_order_release);
      });
    }
  } catch (std::system_error const&) {
    refused_by = detail::limit_of_threads();
  }
  way.store(refused_by == nullptr ? gate::open : gate::called_off, std::memory_order_release);
  way.notify_all();
  if (refused_by == nullptr) play_bound(0);
  while (refused_by == nullptr && tend && playing.load(std::memory_order_acquire) != 0) tend();
  for (std::thread& t : threads) t.join();
  if (refused_by == nullptr) return;
  throw option_error("sheaf: " + std::string(variable) + " is " + std::to_string(count) +
                     "; the system gives this process 1 to " + std::to_string(threads.size() + 1) +
                     " threads now. Ask for fewer locations, or raise its limit (" + refused_by + ").");
}

}  // namespace sheaf::host

namespace sheaf {
namespace {

/// The cores to bind to, one each; empty: the threads float.
std::vector<int> cores_for(options const& settings) {
  if (!settings.pin || settings.locations == 1 || settings.locations > detail::usable_cores()) return {};
  return detail::allowed_cores();
}

}  // namespace

void launch_threads(options const& settings, location_body& body) {
  host::host_job job(settings);
  // Each is made by its own thread, and outlives all threads.
  std::vector<std::unique_ptr<host::host_endpoint>> endpoints(settings.locations);
  auto const play = [&](std::uint32_t i) {
    endpoints[i] = std::make_unique<host::host_endpoint>(location_id{i}, job);
    body.run(*endpoints[i]);
  };
  host::play_together(settings.locations, cores_for(settings), play, "SHEAF_LOCATIONS");
}

}  // namespace sheaf
