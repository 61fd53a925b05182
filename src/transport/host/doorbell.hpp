// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>

#include "base/gate.hpp"

namespace sheaf::host {

/// Who sleeps: the location itself, or one outsider that sees to its transport while it computes.
enum class sleeper : std::uint32_t { owner = 1, outsider = 2 };

/// Where one location sleeps, and one outsider; any thread that sees it may ring. Memory that is all zero is one. One
/// word tells a writer whether anybody does.
///
/// No wake-up is lost. A writer stores a word and then looks at the bell; who sleeps arms the bell and then looks at
/// the word. All four are sequentially consistent: in their one order the store comes before the sleeper's look, or the
/// arming before the writer's.
class doorbell {
 public:
  enum class used_by : std::uint32_t { several_processes, one_process };
  doorbell() = default;
  explicit doorbell(used_by whom) noexcept : used_by_(whom) {}

  /// Sleeps until rung or until `deadline_ns` of the steady clock (0: none) has passed, or less. Does not sleep when
  /// `changed()`, called after the bell is armed, says that there is no need. True: it slept. While it sleeps it is
  /// outside of the gate.
  template <class Changed>
  bool sleep(std::uint64_t deadline_ns, Changed&& changed, sleeper who = sleeper::owner, detail::gate* gate = nullptr) {
    auto const bit = static_cast<std::uint32_t>(who);
    armed_.fetch_or(bit, std::memory_order_seq_cst);
    bool const needed = !changed();
    if (needed) {
      detail::gate_break const outside(gate);
      wait(bit, deadline_ns);
    }
    armed_.fetch_and(~bit, std::memory_order_seq_cst);
    return needed;
  }

  /// To be called after a sequentially consistent store.
  void ring() noexcept {
    if (armed_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake();
  }

 private:
  void wait(std::uint32_t bit, std::uint64_t deadline_ns) noexcept;
  void wake() noexcept;

  std::atomic<std::uint32_t> armed_{0};
  used_by const used_by_ = used_by::several_processes;
};

}  // namespace sheaf::host
