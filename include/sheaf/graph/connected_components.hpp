// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// How sets of vertices of several members find together. Both find the same labels.
enum class components_form : std::uint8_t {
  hooking,  ///< in rounds, about log n of them (FastSV)
  messages  ///< in one epoch: a set that learns a smaller name tells it to its neighbours
};

struct components {
  std::vector<std::uint64_t> label;  ///< of each own vertex: the smallest id in its component
  std::uint64_t count = 0;           ///< components of the whole graph
  std::uint64_t largest = 0;         ///< vertices of the largest one
};

/// Collective. Weakly connected components: edges count in both directions, whether the graph keeps those that end at
/// a vertex or not. Each member first unites what its own edges connect, without a message; where the graph has both
/// directions, of most vertices only two edges are read (Afforest). Then one message of 4 bytes per ghost for each pair
/// of members, and some for each pair of sets that share a vertex, in three epochs a round (`hooking`), or one in all.
components connected_components(graph_shape const& g, components_form how = components_form::hooking);

/// Collective. What is wrong with components, found by a flood along edges from the vertices that give the labels; an
/// empty text where nothing is. An epoch, with 16 bytes for each ghost that is reached; a directed graph is built once
/// more.
std::string wrong_in(graph_shape const& g, components const& all);

}  // namespace sheaf
