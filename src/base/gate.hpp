// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/threading.hpp"
#include "sheaf/base/ambient.hpp"

namespace sheaf::detail {

/// Lets several threads use one location, one at a time: its owner, and outsiders (helper threads, attached threads,
/// locations that serve a sibling). It is held while the library's code runs there, but where a thread writes a record
/// into an open buffer of its own stream. Whoever is inside leaves it around methods, the owner also around
/// continuations and while it rests in a wait. Of a user's code, codecs run inside (on the thread that sends, or
/// whichever is inside when an answer is read), and the operators of collective operations, on the owner's thread. So
/// none of them may wait for a thread that wants to go in.
///
/// Memory order: a ticket lock. What a holder has written is visible to the next one, since it stores `serving_`
/// (release) after it, and the next one reads that value (acquire) before it goes in. No wake-up is lost: who arrives
/// raises `next_` and then looks at `serving_`; who leaves stores `serving_` and then looks at `next_`; all four are
/// sequentially consistent, so one of the two sees the other. Tickets are served in order: nobody starves. Who waits
/// sleeps at one of some bells, by its ticket, so that who leaves wakes few: it stores the bell after `serving_`, and
/// who arrives looks at `serving_` again once it has read the bell.
class gate {
 public:
  explicit gate(threading* fibers = nullptr) noexcept : fibers_(fibers) {}  // on the owner's thread
  gate& operator=(gate&&) = delete;

  /// A name of the calling thread.
  [[nodiscard]] void const* me() const noexcept { return fibers_ == nullptr ? own_thread() : fibers_->self(); }
  [[nodiscard]] bool by_owner() const noexcept { return me() == owner_; }
  [[nodiscard]] bool held_by_me() const noexcept { return holder_.load(std::memory_order_relaxed) == me(); }

  void enter() noexcept;
  /// False: somebody is inside.
  bool try_enter() noexcept;
  void leave() noexcept;
  /// Whoever waits outside goes first; called inside.
  void give_way() noexcept;

  /// Called inside: lets others in until `until` of the steady clock (nanoseconds; 0: no limit) or a `call`, or less.
  void park(std::uint64_t until);
  /// Called inside: all that are parked look again.
  void call();
  [[nodiscard]] std::uint64_t parked_until() const noexcept { return parked_until_; }

  // What the holder may read and write.
  std::uint64_t owner_entries = 0;  ///< how often the owner came in
  bool resting = false;             ///< the owner is in a wait and has nothing to do
  bool attending = false;           ///< an outsider sleeps at the transport's bell, for long
  bool moving = false;              ///< an outsider sees to the transport
  bool closing = false;             ///< helpers are to end
  std::vector<void const*> guests;  ///< attached threads

  [[nodiscard]] bool is_guest() const noexcept { return std::find(guests.begin(), guests.end(), me()) != guests.end(); }

 private:
  friend class gate_break;

  void take(std::uint32_t ticket) noexcept;
  void give() noexcept;
  void await_call(std::uint64_t until);

  threading* const fibers_;  // null: threads come here
  void const* const owner_ = me();
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint32_t> serving_{0};
  struct alignas(64) bell {
    std::atomic<std::uint32_t> rung{0};  // the ticket that it rang for last
  };
  std::array<bell, 32> bells_;
  std::atomic<void const*> holder_{nullptr};
  std::uint32_t depth_ = 0;
  std::mutex bench_;
  std::condition_variable called_;
  std::uint32_t parked_ = 0;
  std::uint64_t parked_until_ = 0;
  std::uint64_t calls_ = 0;  // threads: under bench_
};

/// Outside of the gate for a while, however deep the thread is inside; nothing where it is not.
class gate_break {
 public:
  explicit gate_break(gate* g) noexcept : gate_(g != nullptr && g->held_by_me() ? g : nullptr) {
    if (gate_ == nullptr) return;
    depth_ = std::exchange(gate_->depth_, 0);
    gate_->give();
  }
  ~gate_break() {
    if (gate_ == nullptr) return;
    gate_->enter();
    gate_->depth_ = depth_;
  }
  gate_break& operator=(gate_break&&) = delete;

 private:
  gate* const gate_;
  std::uint32_t depth_ = 0;
};

}  // namespace sheaf::detail
