// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/host_job.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <future>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/machine.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/host/host_endpoint.hpp"
#include "transport/host/segment.hpp"

namespace sheaf::host {
namespace {

long futex(std::atomic<std::uint32_t>& word, doorbell::used_by whom, int operation, std::uint32_t value,
           timespec const* until) noexcept {
  static_assert(sizeof word == sizeof value);
  int const reach = whom == doorbell::used_by::one_process ? FUTEX_PRIVATE_FLAG : 0;
  return syscall(SYS_futex, &word, operation | reach, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

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

/// Returns at once where a ring has already disarmed the bell, or the other sleeper comes or goes meanwhile. May return
/// early: callers look again anyway.
void doorbell::wait(std::uint32_t bit, std::uint64_t deadline_ns) noexcept {
  std::uint32_t const armed = armed_.load(std::memory_order_seq_cst);
  if ((armed & bit) == 0) return;
  timespec until{};
  until.tv_sec = static_cast<time_t>(deadline_ns / 1'000'000'000);
  until.tv_nsec = static_cast<long>(deadline_ns % 1'000'000'000);
  futex(armed_, used_by_, FUTEX_WAIT_BITSET, armed, deadline_ns == 0 ? nullptr : &until);
}

void doorbell::wake() noexcept {
  if (armed_.exchange(0, std::memory_order_seq_cst) != 0) futex(armed_, used_by_, FUTEX_WAKE_BITSET, INT_MAX, nullptr);
}

host_job::host_job(options const& resolved) : settings(resolved) {
  std::byte* const at = heap_.take(process_root::bytes(settings.locations));
  roots_ = {::new (at) process_root};
  for (std::uint32_t i = 0; i < settings.locations; ++i) {
    boxes_.push_back(::new (roots_[0]->boxes() + i) mailbox{doorbell(doorbell::used_by::one_process)});
  }
}

host_job::host_job(options const& local, std::span<process_root* const> roots, std::uint32_t place, host_memory& own,
                   std::function<std::string()> lost)
    : settings(local),
      own_(&own),
      first_(place * local.locations),
      roots_(roots.begin(), roots.end()),
      lost_(std::move(lost)) {
  for (process_root* const root : roots_) {
    for (std::uint32_t i = 0; i < settings.locations; ++i) boxes_.push_back(root->boxes() + i);
  }
  std::swap(roots_[0], roots_[place]);
}

/// All segments are as large as the own one, and begin with the root.
std::span<std::byte const> host_job::memory_of(location_id l) const noexcept {
  if (own_ == nullptr || number(l) - first_ < settings.locations) return {};
  std::byte const* const box =
      reinterpret_cast<std::byte const*>(boxes_[number(l) / settings.locations * settings.locations]);
  return {box - sizeof(process_root) - segment::front, own_->mapped().size()};
}

host_job::~host_job() {
  if (own_ == nullptr) heap_.give_back(reinterpret_cast<std::byte*>(roots_[0]), 0);
}

void host_job::fail(location_id by, std::string_view reason) noexcept {
  char whole[sizeof process_root::reason];
  int const bytes = std::snprintf(whole, sizeof whole, "location %u ended the job: %.*s", number(by),
                                  static_cast<int>(reason.size()), reason.data());
  fail({whole, std::min<std::size_t>(static_cast<std::size_t>(bytes), sizeof whole - 1)});
}

void host_job::fail(std::string_view whole_reason) noexcept {
  using enum process_root::state;
  for (process_root* const root : roots_) {
    auto expected = runs;
    if (!root->job.compare_exchange_strong(expected, failing, std::memory_order_seq_cst)) continue;
    whole_reason.copy(root->reason, sizeof root->reason - 1);
    root->job.store(has_failed, std::memory_order_seq_cst);
  }
  for (mailbox* const box : boxes_) box->bell.ring();
}

std::uint64_t host_job::watched(std::uint64_t deadline_ns, std::uint64_t now_ns) {
  constexpr std::uint64_t second = 1'000'000'000;
  if (!lost_) return deadline_ns;
  std::uint64_t next = next_look_.load(std::memory_order_relaxed);
  if (now_ns >= next && next_look_.compare_exchange_strong(next, now_ns + second, std::memory_order_relaxed)) {
    if (std::string const who = lost_(); !who.empty()) fail(who);
    next = now_ns + second;
  }
  return deadline_ns == 0 ? next : std::min(next, deadline_ns);
}

void host_job::throw_reason() const { throw job_aborted(roots_[0]->reason); }

// ---- The threads of a process ------------------------------------------------------------

void play_together(std::uint32_t count, std::vector<int> const& cores, std::function<void(std::uint32_t)> const& play,
                   char const* variable, std::function<void()> const& tend) {
  std::promise<bool> all_there;
  std::shared_future<bool> const may_play = all_there.get_future().share();
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
        if (!may_play.get()) return;
        play_bound(i);
        playing.fetch_sub(1, std::memory_order_release);
      });
    }
  } catch (std::system_error const&) {
    refused_by = detail::limit_of_threads();
  }
  all_there.set_value(refused_by == nullptr);
  if (refused_by == nullptr) play_bound(0);
  while (refused_by == nullptr && tend && playing.load(std::memory_order_acquire) != 0) tend();
  for (std::thread& t : threads) t.join();
  if (refused_by == nullptr) return;
  throw option_error("sheaf: " + std::string(variable) + " is " + std::to_string(count) +
                     "; the system gives this process 1 to " + std::to_string(threads.size() + 1) +
                     " threads now. Ask for fewer locations, or raise its limit (" + refused_by + ").");
}

}  // namespace sheaf::host

void sheaf::launch_threads(options const& settings, location_body& body) {
  host::host_job job(settings);
  // Each is made by its own thread, and outlives all threads.
  std::vector<std::unique_ptr<host::host_endpoint>> endpoints(settings.locations);
  auto const play = [&](std::uint32_t i) {
    endpoints[i] = std::make_unique<host::host_endpoint>(location_id{i}, job);
    body.run(*endpoints[i]);
  };
  bool const bound = settings.pin && settings.locations > 1 && settings.locations <= detail::usable_cores();
  auto const cores = bound ? detail::allowed_cores() : std::vector<int>();
  host::play_together(settings.locations, cores, play, "SHEAF_LOCATIONS");
}
