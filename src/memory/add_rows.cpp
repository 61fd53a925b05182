// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <atomic>
#include <complex>
#include <cstring>
#include <type_traits>

#include "memory/avx2.hpp"
#include "memory/kernels.hpp"

namespace sheaf::detail {
namespace {

/// A number that may lie at any address: in a message, or in a packed structure.
template <class Real>
struct [[gnu::packed, gnu::may_alias]] loose {
  Real value;
};

template <class Real>
[[gnu::always_inline]] inline void add(loose<Real>* __restrict to, loose<Real> const* __restrict from, std::size_t n,
                                       Real const* scale) {
  if (scale == nullptr) {
    for (std::size_t i = 0; i < n; ++i) to[i].value += from[i].value;
  } else {
    Real const by = *scale;
    for (std::size_t i = 0; i < n; ++i) to[i].value += by * from[i].value;
  }
}

/// By the formula alone: the operator of std::complex looks for infinities first.
template <class Real>
struct [[gnu::packed, gnu::may_alias]] loose<std::complex<Real>> {
  loose<Real> re, im;
};
template <class Real>
[[gnu::always_inline]] inline void add(loose<std::complex<Real>>* __restrict to,
                                       loose<std::complex<Real>> const* __restrict from, std::size_t n,
                                       std::complex<Real> const* scale) {
  if (scale == nullptr) return add<Real>(&to->re, &from->re, 2 * n, nullptr);
  Real const re = scale->real(), im = scale->imag();
  for (std::size_t i = 0; i < n; ++i) {
    Real const y_re = from[i].re.value, y_im = from[i].im.value;
    to[i].re.value += re * y_re - im * y_im;
    to[i].im.value += re * y_im + im * y_re;
  }
}

template <class T>
[[gnu::always_inline]] inline void add_row(std::byte* to, std::byte const* from, std::size_t bytes, void const* scale) {
  T by{};
  if (scale != nullptr) std::memcpy(&by, scale, sizeof by);
  bool const scaled = scale != nullptr && by != T{1};
  add(reinterpret_cast<loose<T>*>(to), reinterpret_cast<loose<T> const*>(from), bytes / sizeof(T),
      scaled ? &by : nullptr);
}

[[gnu::always_inline]] inline void add_kind(std::byte* to, std::byte const* from, std::size_t bytes, element_kind kind,
                                            void const* scale) {
  switch (kind) {
    case element_kind::integer32:
      return add_row<std::uint32_t>(to, from, bytes, scale);
    case element_kind::integer64:
      return add_row<std::uint64_t>(to, from, bytes, scale);
    case element_kind::float32:
      return add_row<float>(to, from, bytes, scale);
    case element_kind::float64:
      return add_row<double>(to, from, bytes, scale);
    case element_kind::complex64:
      return add_row<std::complex<float>>(to, from, bytes, scale);
    case element_kind::complex128:
      return add_row<std::complex<double>>(to, from, bytes, scale);
  }
}

SHEAF_AVX2 void add_by_avx2(std::byte* to, std::byte const* from, std::size_t bytes, element_kind kind,
                            void const* scale) {
  add_kind(to, from, bytes, kind, scale);
}

void add_guarded(paired_rows::block const& of, element_kind kind, void const* scale, host_memory const& memory,
                 guard_wait const& wait) {
  held_guard guard(wait);
  memory_guards& guards = memory.guards_for(reinterpret_cast<std::uintptr_t>(of.to));
  for (std::size_t i = 0; i < of.count; ++i) {
    std::byte* to = of.to + static_cast<std::ptrdiff_t>(i) * of.to_step;
    std::byte const* from = of.from + static_cast<std::ptrdiff_t>(i) * of.from_step;
    for (std::size_t left = of.row; left > 0;) {
      std::size_t const guarded = guard.guard(guards, reinterpret_cast<std::uintptr_t>(to));
      std::size_t const some = std::min(left, elements_in(guarded, kind));
      add_guarded_row(to, from, some, kind, scale);
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
    auto const* const from = reinterpret_cast<loose<T> const*>(of.from + n * of.from_step);
    for (std::size_t e = 0; e < of.row / sizeof(T); ++e) {
      std::atomic_ref<T>(to[e]).fetch_add(by * from[e].value, std::memory_order_relaxed);
    }
  }
}

}  // namespace

void add_guarded_row(std::byte* to, std::byte const* from, std::size_t bytes, element_kind kind, void const* scale) {
  has_avx2() ? add_by_avx2(to, from, bytes, kind, scale) : add_kind(to, from, bytes, kind, scale);
}

void add_rows(paired_rows::block const& of, element_kind kind, void const* scale, host_memory const& memory,
              guard_wait const& wait) {
  auto const address = reinterpret_cast<std::uintptr_t>(of.to);
  auto const element = static_cast<std::ptrdiff_t>(bytes_of(kind));
  bool const aligned = address % bytes_of(kind) == 0 && (of.count == 1 || of.to_step % element == 0);
  if (!is_integer(kind) || !aligned || !has_words(memory, address)) return add_guarded(of, kind, scale, memory, wait);
  kind == element_kind::integer32 ? add_atomically<std::uint32_t>(of, scale) : add_atomically<std::uint64_t>(of, scale);
}

std::uint64_t change_word(std::byte* at, std::size_t bytes, change_kind how, std::uint64_t operand,
                          std::uint64_t expected, host_memory const& memory, guard_wait const& wait) {
  held_guard guard(wait);
  auto const address = reinterpret_cast<std::uintptr_t>(at);
  if (!has_words(memory, address)) guard.guard(memory.guards_for(address), address);
  return change_word(at, bytes, how, operand, expected);
}

}  // namespace sheaf::detail
