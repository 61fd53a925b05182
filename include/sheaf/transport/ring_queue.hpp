// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace sheaf::detail {

/// A first-in first-out queue in one array that grows by doubling and never shrinks: no allocation once it is warm, and
/// none while it has never been used. One that was moved from may only be destroyed or assigned to.
template <class T>
class ring_queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] T& front() noexcept { return items_[first_]; }
  void each(auto visit) const {
    for (std::size_t i = 0; i < count_; ++i) visit(items_[(first_ + i) & (capacity_ - 1)]);
  }

  /// A new last item, to be filled by the caller: as T{} makes it, or as it was when it was dropped.
  T& add() {
    if (count_ == capacity_) [[unlikely]]
      grow();
    return items_[(first_ + count_++) & (capacity_ - 1)];
  }
  void push(T item) { add() = std::move(item); }

  /// Gives up the front; what it holds then stays in its place.
  void drop() noexcept {
    first_ = (first_ + 1) & (capacity_ - 1);
    --count_;
  }
  T pop() noexcept {
    T item = std::move(front());
    drop();
    return item;
  }

 private:
  [[gnu::noinline]] void grow() {
    std::size_t const larger = capacity_ == 0 ? 8 : 2 * capacity_;
    auto items = std::make_unique<T[]>(larger);
    for (std::size_t i = 0; i < count_; ++i) items[i] = std::move(items_[(first_ + i) & (capacity_ - 1)]);
    items_ = std::move(items);
    first_ = 0;
    capacity_ = larger;
  }

  std::unique_ptr<T[]> items_;
  std::size_t capacity_ = 0;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace sheaf::detail
