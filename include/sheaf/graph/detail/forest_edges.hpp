// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::detail {

/// A number that is smaller exactly if the weight is. Both zeros of a floating-point type are one.
template <class W>
constexpr std::uint64_t ordered_key(W weight) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  if constexpr (std::floating_point<W>) {
    auto const bits = std::bit_cast<std::uint64_t>(static_cast<double>(weight) + 0.0);
    return (bits & sign) != 0 ? ~bits : bits | sign;
  } else if constexpr (std::signed_integral<W>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(weight)) ^ sign;
  } else {
    return weight;
  }
}

/// Edge number `edge` of graph_shape::out(), from an own vertex.
struct forest_edge {
  vertex from = 0;
  std::uint64_t edge = 0;
};

/// Collective. Those of the minimum spanning forest, each at one member. `keys`: of all edges of out().
std::vector<forest_edge> forest_edges(graph_shape const& g, std::span<std::uint64_t const> keys);

}  // namespace sheaf::detail
