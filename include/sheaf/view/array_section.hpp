// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "sheaf/view/detail/array_core.hpp"

namespace sheaf {

template <memory_type T, std::size_t N>
class distributed_array;

/// A regular section of a distributed array: in each dimension the indices of a slice. A value, as long as the array
/// stays. Position (i, j, …) of it is the element with the indices first + i·step, … (Fortran's array sections, and
/// NumPy's; an index keeps its dimension.)
template <memory_type T, std::size_t N>
class array_section {
 public:
  using element_type = T;

  /// The whole array.
  array_section(distributed_array<T, N> const& of) : array_(&of), slices_{} {}  // NOLINT: converts on purpose
  array_section(distributed_array<T, N> const& of, std::array<slice, N> const& slices) : array_(&of), slices_(slices) {}

  [[nodiscard]] distributed_array<T, N> const& array() const noexcept { return *array_; }
  [[nodiscard]] std::array<slice, N> const& slices() const noexcept { return slices_; }
  [[nodiscard]] detail::core_section core() const noexcept { return {&array_->core(), slices_}; }

 private:
  distributed_array<T, N> const* array_;
  std::array<slice, N> slices_;
};

namespace detail {

template <class T, std::size_t N>
array_section<T, N> section_of(distributed_array<T, N> const& whole) {
  return whole;
}
template <class T, std::size_t N>
array_section<T, N> section_of(array_section<T, N> const& part) {
  return part;
}

/// A distributed array, which stands for all of it, or a section of one.
template <class S>
concept sectioned = requires(S const& s) {
  section_of(s);
};
template <sectioned S>
using section_element = typename decltype(section_of(std::declval<S const&>()))::element_type;
template <class S, class T>
concept section_with = sectioned<S> && std::same_as<section_element<S>, T>;

}  // namespace detail
}  // namespace sheaf
