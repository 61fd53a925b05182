// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>

namespace sheaf::net {

/// Things that any thread gives back to one that takes all at once. `T` has a member `T* next`.
template <class T>
class return_stack {
 public:
  void push(T* item) noexcept {
    item->next = top_.load(std::memory_order_relaxed);
    while (!top_.compare_exchange_weak(item->next, item, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] T* take_all() noexcept {
    return top_.load(std::memory_order_relaxed) == nullptr ? nullptr
                                                           : top_.exchange(nullptr, std::memory_order_acquire);
  }

 private:
  std::atomic<T*> top_{nullptr};
};

}  // namespace sheaf::net
