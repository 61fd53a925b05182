// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>

#include "base/gate.hpp"

namespace sheaf::threads {

/// How a thread that sleeps learns of what others wrote, without a fence on the writers' side.
///
/// A writer calls `publish(word, value)` and then looks whether its reader sleeps. A reader says that it sleeps, calls
/// `settle`, and then looks at the words once more. At least one of the two sees what the other wrote, so no wake-up is
/// lost. Proof: `settle` makes every running thread of the process pass a full barrier between the reader's store and
/// its second look (a thread that does not run has passed one when it was switched out). If the writer's store of the
/// word comes before that barrier of its thread, the reader's second look sees the word. Else its look at the sleeping
/// flag, which follows the store in program order, comes after the barrier, and sees the flag. Where the system has no
/// such barrier, all four accesses are sequentially consistent: in their one order either the writer's store precedes
/// the reader's second look, or the flag's store precedes the writer's look at it.
class store_load_order {
 public:
  /// Asks the system for the barrier, once for each job.
  static store_load_order for_this_process() noexcept;

  template <class T>
  void publish(std::atomic<T>& word, T value) const noexcept {
    if (system_barrier_) [[likely]] {
      word.store(value, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler keeps the order as well
    } else {
      word.store(value, std::memory_order_seq_cst);
    }
  }

  void settle() const noexcept;

 private:
  explicit store_load_order(bool system_barrier) noexcept : system_barrier_(system_barrier) {}
  bool system_barrier_;
};

/// Who sleeps: the location itself, or one outsider that sees to its transport while it computes.
enum class sleeper : std::uint32_t { owner = 1, outsider = 2 };

/// Where one location sleeps, and one outsider; any thread may ring. One word tells a writer whether anybody does.
class doorbell {
 public:
  /// Sleeps until rung or until `deadline_ns` of the steady clock (0: none) has passed, or less. Does not sleep when
  /// `changed()`, called after the bell is armed, says that there is no need. True: it slept. While it sleeps it is
  /// outside of the gate.
  template <class Changed>
  bool sleep(store_load_order const& order, std::uint64_t deadline_ns, Changed&& changed, sleeper who = sleeper::owner,
             detail::gate* gate = nullptr) {
    auto const bit = static_cast<std::uint32_t>(who);
    armed_.fetch_or(bit, std::memory_order_seq_cst);
    order.settle();
    bool const needed = !changed();
    if (needed) {
      detail::gate_break const outside(gate);
      wait(bit, deadline_ns);
    }
    armed_.fetch_and(~bit, std::memory_order_seq_cst);
    return needed;
  }

  /// To be called after `publish`.
  void ring() noexcept {
    if (armed_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake();
  }

 private:
  void wait(std::uint32_t bit, std::uint64_t deadline_ns) noexcept;
  void wake() noexcept;

  std::atomic<std::uint32_t> armed_{0};
};

}  // namespace sheaf::threads
