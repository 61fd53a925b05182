// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/thread/doorbell.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace sheaf::threads {
namespace {

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, timespec const* until) noexcept {
  static_assert(sizeof word == sizeof value);
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

store_load_order store_load_order::for_this_process() noexcept {
  return store_load_order(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0);
}

void store_load_order::settle() const noexcept {
  if (system_barrier_) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/// Returns at once where a ring has already disarmed the bell, or the other sleeper comes or goes meanwhile. May return
/// early: callers look again anyway.
void doorbell::wait(std::uint32_t bit, std::uint64_t deadline_ns) noexcept {
  std::uint32_t const armed = armed_.load(std::memory_order_seq_cst);
  if ((armed & bit) == 0) return;
  timespec until{};
  until.tv_sec = static_cast<time_t>(deadline_ns / 1'000'000'000);
  until.tv_nsec = static_cast<long>(deadline_ns % 1'000'000'000);
  futex(armed_, FUTEX_WAIT_BITSET, armed, deadline_ns == 0 ? nullptr : &until);
}

void doorbell::wake() noexcept {
  if (armed_.exchange(0, std::memory_order_seq_cst) != 0) futex(armed_, FUTEX_WAKE_BITSET, INT_MAX, nullptr);
}

}  // namespace sheaf::threads
