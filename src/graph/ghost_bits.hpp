// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <initializer_list>

#include "graph/bitmap.hpp"
#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::detail {

/// Collective. Sets the bits of ghosts, in each of `to`, whose owners have set them in `from`. A bit for each ghost is
/// sent.
void pull_bits(graph_shape const& g, bitmap const& from, std::initializer_list<bitmap*> to);

}  // namespace sheaf::detail
