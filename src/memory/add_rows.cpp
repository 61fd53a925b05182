// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <atomic>
#include <complex>
#include <cstring>
#include <type_traits>

#include "memory/kernels.hpp"

namespace sheaf::detail {
namespace {

/// Has one guard at a time. It keeps it over rows that lie in the same 16 KiB.
class held_guard {
 public:
  held_guard(host_memory const& memory, guard_wait const& wait) noexcept : memory_(memory), wait_(wait) {}
  held_guard& operator=(held_guard&&) = delete;
  ~held_guard() { let_go(); }

  /// Bytes from there on that it guards.
  std::size_t guard(std::uintptr_t address) {
    std::uintptr_t const part = address / memory_guards::bytes_of_one;
    if (guard_ == nullptr || part != part_) take(address, part);
    return (part + 1) * memory_guards::bytes_of_one - address;
  }

 private:
  void take(std::uintptr_t address, std::uintptr_t part) {
    let_go();
    memory_guard& next = memory_.guards_for(address).of(address);
    for (std::uint32_t round = 0; next.taken.exchange(1, std::memory_order_acquire) != 0; ++round) {
      wait_.rest(wait_.context, round);
    }
    guard_ = &next;
    part_ = part;
  }
  void let_go() noexcept {
    if (guard_ != nullptr) guard_->taken.store(0, std::memory_order_release);
    guard_ = nullptr;
  }

  host_memory const& memory_;
  guard_wait const& wait_;
  memory_guard* guard_ = nullptr;
  std::uintptr_t part_ = 0;
};

template <class Real>
void add(Real* __restrict to, Real const* __restrict from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

template <class Real>
void add(Real* __restrict to, Real const* __restrict from, std::size_t n, Real scale) {
  for (std::size_t i = 0; i < n; ++i) to[i] += scale * from[i];
}

/// By the formula alone: the operator of std::complex looks for infinities first.
template <class Real>
void add(std::complex<Real>* to, std::complex<Real> const* from, std::size_t n, std::complex<Real> scale) {
  auto* const __restrict x = reinterpret_cast<Real*>(to);
  auto const* const __restrict y = reinterpret_cast<Real const*>(from);
  Real const re = scale.real(), im = scale.imag();
  for (std::size_t i = 0; i < 2 * n; i += 2) {
    x[i] += re * y[i] - im * y[i + 1];
    x[i + 1] += re * y[i + 1] + im * y[i];
  }
}

template <class Real>
void add(std::complex<Real>* to, std::complex<Real> const* from, std::size_t n) {
  add(reinterpret_cast<Real*>(to), reinterpret_cast<Real const*>(from), 2 * n);
}

template <class T>
void add_guarded(paired_rows::block const& of, void const* scale, held_guard& guard) {
  T by{};
  if (scale != nullptr) std::memcpy(&by, scale, sizeof by);
  bool const scaled = scale != nullptr && by != T{1};
  for (std::size_t i = 0; i < of.count; ++i) {
    auto const n = static_cast<std::ptrdiff_t>(i);
    auto* to = reinterpret_cast<T*>(of.to + n * of.to_step);
    auto const* from = reinterpret_cast<T const*>(of.from + n * of.from_step);
    for (std::size_t left = of.row / sizeof(T); left > 0;) {
      std::size_t const guarded = guard.guard(reinterpret_cast<std::uintptr_t>(to));
      std::size_t const some = std::min(left, (guarded + sizeof(T) - 1) / sizeof(T));
      scaled ? add(to, from, some, by) : add(to, from, some);
      to += some;
      from += some;
      left -= some;
    }
  }
}

template <class T>
void add_atomically(paired_rows::block const& of, void const* scale) noexcept {
  T by = 1;
  if (scale != nullptr) std::memcpy(&by, scale, sizeof by);
  for (std::size_t i = 0; i < of.count; ++i) {
    auto const n = static_cast<std::ptrdiff_t>(i);
    auto* const to = reinterpret_cast<T*>(of.to + n * of.to_step);
    auto const* const from = reinterpret_cast<T const*>(of.from + n * of.from_step);
    for (std::size_t e = 0; e < of.row / sizeof(T); ++e) {
      std::atomic_ref<T>(to[e]).fetch_add(by * from[e], std::memory_order_relaxed);
    }
  }
}

template <class T>
std::uint64_t change(T& word, change_kind how, T operand, T expected) noexcept {
  std::atomic_ref<T> const at(word);
  switch (how) {
    case change_kind::add:
      return at.fetch_add(operand);
    case change_kind::swap:
      return at.exchange(operand);
    case change_kind::bit_and:
      return at.fetch_and(operand);
    case change_kind::bit_or:
      return at.fetch_or(operand);
    case change_kind::bit_xor:
      return at.fetch_xor(operand);
    case change_kind::load:
      return at.load();
    case change_kind::store:
      at.store(operand);
      return 0;
    case change_kind::swap_if:
      at.compare_exchange_strong(expected, operand);
      return expected;
  }
  return 0;
}

}  // namespace

void add_rows(paired_rows::block const& of, element_kind kind, void const* scale, host_memory const& memory,
              guard_wait const& wait) {
  held_guard guard(memory, wait);
  switch (kind) {
    case element_kind::integer32:
      return add_atomically<std::uint32_t>(of, scale);
    case element_kind::integer64:
      return add_atomically<std::uint64_t>(of, scale);
    case element_kind::float32:
      return add_guarded<float>(of, scale, guard);
    case element_kind::float64:
      return add_guarded<double>(of, scale, guard);
    case element_kind::complex64:
      return add_guarded<std::complex<float>>(of, scale, guard);
    case element_kind::complex128:
      return add_guarded<std::complex<double>>(of, scale, guard);
  }
}

std::uint64_t change_word(std::byte* at, std::size_t bytes, change_kind how, std::uint64_t operand,
                          std::uint64_t expected) noexcept {
  if (bytes == sizeof(std::uint32_t)) {
    return change(*reinterpret_cast<std::uint32_t*>(at), how, static_cast<std::uint32_t>(operand),
                  static_cast<std::uint32_t>(expected));
  }
  return change(*reinterpret_cast<std::uint64_t*>(at), how, operand, expected);
}

}  // namespace sheaf::detail
