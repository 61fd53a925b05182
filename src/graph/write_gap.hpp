// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/graph/edge.hpp"
#include "sheaf/graph/graph_file.hpp"

namespace sheaf::detail {

/// Collective. Writes a serialized graph of GAP (binary_file.hpp), without or with weights. All ids are below
/// `facts.vertices`, which is at most 2^31.
void write_gap(team const& members, std::string const& path, std::vector<edge<>> edges, file_facts const& facts);
void write_gap(team const& members, std::string const& path, std::vector<edge<std::int32_t>> edges,
               file_facts const& facts);

}  // namespace sheaf::detail
