// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <utility>

namespace sheaf {

/// Owns the use of a resource: calls a function once, when it ends. Move-only. An empty lease calls nothing.
class lease {
 public:
  lease() = default;
  /// `end(of)` must not throw.
  lease(void (*end)(void* of), void* of) noexcept : end_(end), of_(of) {}
  lease(lease&& other) noexcept : end_(std::exchange(other.end_, nullptr)), of_(other.of_) {}
  lease& operator=(lease&& other) noexcept {
    lease gone(std::move(other));
    std::swap(end_, gone.end_);
    std::swap(of_, gone.of_);
    return *this;
  }
  ~lease() {
    if (end_ != nullptr) end_(of_);
  }

  explicit operator bool() const noexcept { return end_ != nullptr; }

 private:
  void (*end_)(void*) = nullptr;
  void* of_ = nullptr;
};

namespace detail {

/// Base of a class that is neither copied nor moved. `Of` is that class, so that no two bases have one type.
template <class Of>
struct immovable {
  immovable& operator=(immovable&&) = delete;
};

/// Calls something, which must not throw, at the end of a block.
template <class F>
struct at_end {
  F call;
  at_end& operator=(at_end&&) = delete;
  ~at_end() { call(); }
};
template <class F>
at_end(F) -> at_end<F>;

/// Gives a variable another value while this lives, then restores the old one.
template <class T>
class restoring : immovable<restoring<T>> {
 public:
  restoring(T& place, T meanwhile) : place_(place), before_(std::exchange(place, std::move(meanwhile))) {}
  ~restoring() { place_ = std::move(before_); }

 private:
  T& place_;
  T before_;
};

}  // namespace detail
}  // namespace sheaf
