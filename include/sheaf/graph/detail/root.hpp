// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::detail {

/// Collective. The vertex with this id, at its owner. Throws usage_error on all members if none has it.
std::optional<vertex> checked_root(graph_shape const& g, std::uint64_t root);

}  // namespace sheaf::detail
