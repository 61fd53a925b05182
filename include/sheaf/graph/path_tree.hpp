// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sheaf {

/// How shortest paths are looked for. Both find the same distances.
enum class paths_form : std::uint8_t {
  delta_stepping,  ///< bucket by bucket, all members on the same one
  messages         ///< each member on its own first bucket; no member waits for others
};

struct paths_options {
  double delta = 0;  ///< the width of a bucket, in weights (integral ones: rounded up); 0: one that fits as a rule
  paths_form form = paths_form::delta_stepping;
};

/// Of the own vertices of a location. Sums of integral weights stay below 2^64.
template <class W>
struct path_tree {
  static_assert(std::is_arithmetic_v<W>, "sheaf: shortest paths need weights that are numbers: a graph<W>");
  using distance_type = std::conditional_t<std::is_integral_v<W>, std::uint64_t, double>;
  static constexpr distance_type unreached = std::is_integral_v<W> ? std::numeric_limits<distance_type>::max()
                                                                   : std::numeric_limits<distance_type>::infinity();
  static constexpr std::uint64_t no_parent = ~std::uint64_t{0};

  std::vector<distance_type> distance;  ///< from the root, or unreached
  std::vector<std::uint64_t> parent;  ///< its number in the graph; of the root: itself; of an unreached one: no_parent
  std::uint64_t reached = 0;          ///< vertices of the whole graph
};

}  // namespace sheaf
