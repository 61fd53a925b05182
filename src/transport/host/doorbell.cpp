// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace sheaf::host {
namespace {

long futex(std::atomic<std::uint32_t>& word, doorbell::used_by whom, int operation, std::uint32_t value,
           timespec const* until) noexcept {
  static_assert(sizeof word == sizeof value);
  int const reach = whom == doorbell::used_by::one_process ? FUTEX_PRIVATE_FLAG : 0;
  return syscall(SYS_futex, &word, operation | reach, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

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

}  // namespace sheaf::host
