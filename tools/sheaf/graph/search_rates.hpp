// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sheaf/graph/graph_job.hpp"

namespace sheaf::tool {

/// A search from a vertex, on all locations, and questions about the last one.
struct graph_search {
  std::function<void(std::uint64_t root)> run;
  std::function<bool(vertex)> reaches;
  std::function<std::string(std::uint64_t root)> wrong;
};

/// Collective. Where `--searches` is given: searches from so many vertices, and tells how many edges they traverse in a
/// second (TEPS), as Graph500 counts (specification 2.0): the roots are random vertices with edges; the edges
/// of a search are all those of the input in the component that it reaches, loops and parallel ones among them, each
/// once; the mean is the harmonic one. With `--verify` each search is checked; throws command_error if one is wrong.
void tell_search_rates(graph_job& job, graph_shape const& g, graph_search const& search);

}  // namespace sheaf::tool
