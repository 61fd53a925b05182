// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include "sheaf/memory/detail/strided.hpp"
#include "sheaf/memory/section.hpp"

namespace sheaf::detail {

template <class T>
using byte_like = std::conditional_t<std::is_const_v<T>, std::byte const, std::byte>;

template <class T>
[[nodiscard]] byte_like<T>* bytes_at(T* at) noexcept {
  return reinterpret_cast<byte_like<T>*>(at);
}
template <class T>
[[nodiscard]] place place_of(global_ptr<T> p) noexcept {
  return {p.where(), p.address()};
}

/// A row of elements, as a shape.
template <class T>
class row_part {
 public:
  row_part(T* first, std::size_t count) noexcept : first_(first), bytes_(count * sizeof(T)) {}
  [[nodiscard]] basic_strided<byte_like<T>> strided() const noexcept { return {bytes_at(first_), bytes_, {}, {}}; }

 private:
  T* first_;
  std::size_t bytes_;
};

/// A section, as a shape: levels in bytes, the innermost first.
template <class T, std::size_t N>
class section_part {
 public:
  template <class P>
  section_part(T* first, section<P, N> const& of) noexcept : first_(first) {
    for (std::size_t i = 0; i < N; ++i) {
      counts_[i] = of.extents[N - 1 - i];
      steps_[i] = of.steps[N - 1 - i] * static_cast<std::ptrdiff_t>(sizeof(T));
    }
  }
  [[nodiscard]] basic_strided<byte_like<T>> strided() const noexcept {
    return {bytes_at(first_), sizeof(T), counts_, steps_};
  }

 private:
  T* first_;
  std::array<std::size_t, N> counts_;
  std::array<std::ptrdiff_t, N> steps_;
};

/// The remote side of a transfer: where it is, its elements, and it as a shape where the local side has `count`.
template <class R>
struct remote_side;

template <class T>
struct remote_side<global_ptr<T>> {
  using element = T;
  static location_id where(global_ptr<T> p) noexcept { return p.where(); }
  static row_part<T> part(global_ptr<T> p, std::size_t count) noexcept {
    return {reinterpret_cast<T*>(p.address()), count};
  }
};
template <class T, std::size_t N>
struct remote_side<section<global_ptr<T>, N>> {
  using element = T;
  static location_id where(section<global_ptr<T>, N> const& s) noexcept { return s.first.where(); }
  static section_part<T, N> part(section<global_ptr<T>, N> const& s, std::size_t) noexcept {
    return {reinterpret_cast<T*>(s.first.address()), s};
  }
};

template <class R>
concept remote_part = requires {
  typename remote_side<R>::element;
};
template <remote_part R>
using remote_element = typename remote_side<R>::element;

/// The local side: a section, what converts to a span, or one value.
template <class T, class U, std::size_t N>
requires(std::same_as<std::remove_const_t<T>, std::remove_const_t<U>>)
    section_part<T, N> local_part(section<U*, N> const& s)
noexcept { return {s.first, s}; }
template <class T, class L>
requires(std::convertible_to<L&&, std::span<T>>) row_part<T> local_part(L&& values)
noexcept {
  std::span<T> const all(values);
  return {all.data(), all.size()};
}
template <class T, class L>
requires(std::same_as<std::remove_const_t<T>, std::remove_cvref_t<L>>&&
             std::convertible_to<std::remove_reference_t<L>*, T*> &&
         !std::convertible_to<L&&, std::span<T>>) row_part<T> local_part(L&& value)
noexcept { return {&value, 1}; }

template <class T, std::size_t N>
std::size_t count_of(section_part<T, N> const& part) noexcept {
  return part.strided().bytes() / sizeof(T);
}
template <class T>
std::size_t count_of(row_part<T> const& part) noexcept {
  return part.strided().row / sizeof(T);
}

/// What a put of T reads, and what a get writes.
template <class L, class T>
concept local_source = requires(L const& l) {
  local_part<std::remove_const_t<T> const>(l);
};
template <class L, class T>
concept local_target = requires(L&& l) {
  local_part<std::remove_const_t<T>>(l);
};

}  // namespace sheaf::detail
