// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sheaf/graph/graph_file.hpp"
#include "sheaf/graph/graph_options.hpp"
#include "sheaf/graph/values_file.hpp"

namespace sheaf::tool {

/// What the command line asks of a graph.
struct graph_request {
  std::string file, output, plot, names;
  graph_format format = graph_format::automatic;
  values_format output_format = values_format::tsv;
  std::optional<bool> directed;  ///< none: as the file says
  vertex_distribution distribution = vertex_distribution::block;
  std::optional<std::uint64_t> root;
  std::string form;  ///< of the algorithm; empty: the best one
  bool verify = false, json = false, progress = false;
  int repetitions = 1;
  std::string kind;  ///< of a graph to generate
  unsigned scale = 16, degree = 16;
  std::uint64_t seed = 1, sources = 64, searches = 0;
};

}  // namespace sheaf::tool
