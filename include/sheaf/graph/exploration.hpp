// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// How an exploration goes on (AM++ §4.2). Both reach the same vertices.
enum class exploration_form : std::uint8_t {
  nested,  ///< a handler explores what it reaches at its location, and sends to others' vertices
  queue    ///< a handler puts its vertex into a queue; a loop explores from there, and counts what it sends
};

struct exploration {
  std::vector<bool> reached;   ///< of own vertices
  std::uint64_t vertices = 0;  ///< reached ones of the whole graph
};

/// Collective. The vertices to which a path leads from the vertex `root` (an id), in no order, and so
/// without levels and parents. Nested: one epoch, and a message of 4 bytes for each ghost that is reached, at most;
/// queue: each is answered, too, and reductions of two numbers find the end. Throws usage_error on all members if there
/// is no such vertex, or if they give different ones.
exploration explore(graph_shape const& g, std::uint64_t root, exploration_form how = exploration_form::nested);

/// Collective. What is wrong with an exploration: where it differs from the levels of a breadth-first search. An empty
/// text where it does not.
std::string wrong_in(graph_shape const& g, std::uint64_t root, exploration const& all);

}  // namespace sheaf
