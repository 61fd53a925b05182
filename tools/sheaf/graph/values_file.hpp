// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::tool {

/// Collective. Writes a value for each vertex, all members at a time. Vertices whose ids are 0…n−1 come by id, others
/// by owner. `form`: tsv (lines of an id and a value), mtx (a dense Matrix Market vector) or npy (NumPy's array of
/// doubles); the last two need ids 0…n−1. Throws command_error on all members.
void write_values(graph_shape const& g, std::vector<double> const& own, std::string const& path,
                  std::string const& form);

}  // namespace sheaf::tool
