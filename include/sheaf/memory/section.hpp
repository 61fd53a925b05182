// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "sheaf/memory/global_ptr.hpp"

namespace sheaf {

/// Part of an array of N dimensions: the elements first + Σ index[d]·steps[d], 0 ≤ index[d] < extents[d]. Steps are in
/// elements and may be negative. Elements are numbered in C order: the last index changes first. So {p, {2, 100},
/// {300, 1}} is 2 x 100 elements of a matrix whose rows have 300, and {p, {n}, {3}} is every third element. P is a
/// global_ptr<T> or a T*. (ARMCI 2.1: the strided format.)
template <class P, std::size_t N>
struct section {
  P first{};
  std::array<std::size_t, N> extents{};
  std::array<std::ptrdiff_t, N> steps{};

  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t all = 1;
    for (std::size_t const extent : extents) all *= extent;
    return all;
  }
};
template <class P, std::size_t N>
section(P, std::size_t const (&)[N], std::ptrdiff_t const (&)[N]) -> section<P, N>;

/// `count` elements there, and as many here: one of the pieces of a transfer. (ARMCI 2.1: the vector format; pieces may
/// have different sizes here, and different targets.) L is T, or T const where only its values are read.
template <memory_type T, class L = T>
struct piece {
  global_ptr<T> remote;
  L* local = nullptr;
  std::size_t count = 0;
};

namespace detail {

template <class P>
struct of_piece {};
template <class T, class L>
struct of_piece<piece<T, L>> {
  using element = T;
};

template <class R>
using piece_element = typename of_piece<
    std::remove_const_t<typename decltype(std::span(std::declval<R const&>()))::element_type>>::element;

/// A range in which pieces lie in a row: a vector, a span, an array.
template <class R>
concept piece_range = requires {
  typename piece_element<R>;
};

}  // namespace detail
}  // namespace sheaf
