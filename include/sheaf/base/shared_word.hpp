// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf::detail {

/// What std::atomic has, for a word that several threads use: as much of it as headers of sheaf.hpp need. <atomic>
/// would take a tenth of the time in which sheaf.hpp compiles. GCC's and Clang's operations, with their meaning.
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
  /// Both return what was there; acquire and release.
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
