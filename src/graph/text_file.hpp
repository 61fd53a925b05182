// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "graph/opened_file.hpp"
#include "sheaf/graph/graph_file.hpp"

namespace sheaf::detail {

/// Collective. Reads a text, compressed or not, in this format; `automatic`: by its first line.
file_facts read_text_file(opened_file const& file, graph_format format, edge_sink to);

}  // namespace sheaf::detail
