// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sheaf {

/// First in, first out; keeps its memory, so that a queue that was as long before allocates nothing.
template <class T>
class recycling_queue {
 public:
  [[nodiscard]] bool empty() const { return first_ == items_.size(); }
  [[nodiscard]] std::size_t size() const { return items_.size() - first_; }
  [[nodiscard]] T& front() { return items_[first_]; }
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = first_; i < items_.size(); ++i) visit(items_[i]);
  }
  void push_back(T item) { items_.push_back(std::move(item)); }

  template <class Visit>
  void each(Visit visit) {
    for (std::size_t i = first_; i < items_.size(); ++i) visit(items_[i]);
  }

  void pop_front() {
    items_[first_++] = T();
    bool const mostly_gone = first_ >= least_to_move && 2 * first_ >= items_.size();
    if (!mostly_gone && !empty()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

 private:
  static constexpr std::size_t least_to_move = 64;

  std::vector<T> items_;
  std::size_t first_ = 0;
};

}  // namespace sheaf
