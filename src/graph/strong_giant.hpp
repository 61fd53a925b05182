// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "graph/strong_rest.hpp"

namespace sheaf::detail {

/// Collective. Where the degrees of a graph differ much, finds the component of the vertex with the largest product of
/// degrees, and splits the others by whether it reaches them and they reach it. Returns whether it did. Units are not
/// needed.
bool find_giant(strong_rest& rest);

}  // namespace sheaf::detail
