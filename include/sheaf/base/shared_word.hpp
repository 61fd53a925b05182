// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf::detail {

/// The part of std::atomic that the headers of sheaf.hpp need: <atomic> would take a tenth of sheaf.hpp's compile time.
/// Uses the __atomic operations of GCC and Clang.
template <class T>
class shared_word {
 public:
  constexpr shared_word() = default;
  constexpr explicit shared_word(T initial) : word_(initial) {}
  shared_word& operator=(shared_word&&) = delete;

  [[nodiscard]] T relaxed() const { return load<__ATOMIC_RELAXED>(); }
  [[nodiscard]] T acquire() const { return load<__ATOMIC_ACQUIRE>(); }
  void relax(T now) { __atomic_store(&word_, &now, __ATOMIC_RELAXED); }
  void release(T now) { __atomic_store(&word_, &now, __ATOMIC_RELEASE); }
  /// Both return the old value; acquire and release.
  T exchange(T now) {
    T before;
    __atomic_exchange(&word_, &now, &before, __ATOMIC_ACQ_REL);
    return before;
  }
  T add(T more) { return __atomic_fetch_add(&word_, more, __ATOMIC_ACQ_REL); }

 private:
  template <int Order>
  [[nodiscard]] T load() const {
    T is;
    __atomic_load(&word_, &is, Order);
    return is;
  }

  T word_{};
};

}  // namespace sheaf::detail
