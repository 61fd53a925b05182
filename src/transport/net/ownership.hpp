// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>

namespace sheaf::net {

/// One owner at a time of what a process has once, without a lock that anyone waits for: whoever finds nobody there
/// takes a turn, in which it does what the others have left. Nothing stays behind: who leaves something calls `post`
/// and then `serve`; if it finds an owner there, that one looks at the flag after it has let go. All accesses that this
/// needs are sequentially consistent, so one of the two sees the other. Tests supply an Atomic of their own.
template <template <class> class Atomic = std::atomic>
class ownership {
 public:
  [[nodiscard]] bool take() noexcept {
    return !owned_.load(std::memory_order_seq_cst) && !owned_.exchange(true, std::memory_order_acquire);
  }
  void give() noexcept { owned_.store(false, std::memory_order_seq_cst); }
  /// Gives it back at the end of a block, whatever happens there.
  struct owner {
    ownership& whose;
    ~owner() { whose.give(); }
  };

  /// Something lies here for the owner.
  void post() noexcept { posted_.exchange(true, std::memory_order_seq_cst); }
  [[nodiscard]] bool posted() const noexcept { return posted_.load(std::memory_order_seq_cst); }
  /// The owner takes the flag down; it then sees all that the flag was set for. False: it was down.
  [[nodiscard]] bool collect() noexcept {
    return posted_.load(std::memory_order_relaxed) && posted_.exchange(false, std::memory_order_seq_cst);
  }

  /// Takes turns until nothing lies here, or somebody else is the owner. False: it left after `most` with the flag up.
  template <class Turn>
  bool serve(std::uint32_t most, Turn turn) {
    for (std::uint32_t turns = 0; turns < most; ++turns) {
      if (!take()) return true;
      {
        owner const guard{*this};
        turn();
      }
      if (!posted()) return true;
    }
    return false;
  }

 private:
  alignas(64) Atomic<bool> owned_{false};
  Atomic<bool> posted_{false};
};

}  // namespace sheaf::net
