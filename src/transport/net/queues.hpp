// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sheaf/transport/ring_queue.hpp"

namespace sheaf::net {

using sheaf::detail::ring_queue;

/// A queue without limit between one thread at a time that pushes and one that takes. Whoever pushes next has seen what
/// the last one did (they hand over to each other). Items lie in chunks; one emptied chunk is kept for the next turn.
template <class T>
class relay_queue {
 public:
  relay_queue() : first_(new chunk), last_(first_) {}
  relay_queue(relay_queue const&) = delete;
  relay_queue& operator=(relay_queue const&) = delete;
  ~relay_queue() {
    delete spare_.load(std::memory_order_relaxed);
    while (first_ != nullptr) delete std::exchange(first_, first_->next.load(std::memory_order_relaxed));
  }

  /// A reader that sleeps by its doorbell does not miss it.
  void push(T item) {
    std::uint32_t const at = last_->written.load(std::memory_order_relaxed);
    if (at != chunk::size) {
      last_->items[at] = std::move(item);
      return last_->written.store(at + 1, std::memory_order_seq_cst);
    }
    chunk* fresh = spare_.exchange(nullptr, std::memory_order_acquire);
    if (fresh == nullptr) fresh = new chunk;
    fresh->items[0] = std::move(item);
    fresh->written.store(1, std::memory_order_relaxed);
    last_->next.store(fresh, std::memory_order_seq_cst);
    last_ = fresh;
  }

  /// The oldest item; null: there is none. It stays until `pop`. Both looks are sequentially consistent, as
  /// host::doorbell asks of who sleeps by it.
  T* front() {
    if (taken_ == chunk::size) {
      chunk* const next = first_->next.load(std::memory_order_seq_cst);
      if (next == nullptr) return nullptr;
      recycle(std::exchange(first_, next));
      taken_ = 0;
    }
    return taken_ != first_->written.load(std::memory_order_seq_cst) ? &first_->items[taken_] : nullptr;
  }
  void pop() { ++taken_; }

 private:
  struct chunk {
    static constexpr std::uint32_t size = 32;
    std::atomic<std::uint32_t> written{0};
    std::atomic<chunk*> next{nullptr};
    T items[size];
  };

  void recycle(chunk* used) {
    used->written.store(0, std::memory_order_relaxed);
    used->next.store(nullptr, std::memory_order_relaxed);
    delete spare_.exchange(used, std::memory_order_acq_rel);
  }

  alignas(64) chunk* first_;  // of the one that takes
  std::uint32_t taken_ = 0;
  alignas(64) chunk* last_;  // of the one that pushes
  std::atomic<chunk*> spare_{nullptr};
};

}  // namespace sheaf::net
