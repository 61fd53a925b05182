// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <span>

#include "sheaf/line_arena.hpp"

namespace sheaf::tool {

// Result:   the lines of one arena in the order asked for.
// Method:   Highway's vqsort on (eight-byte key, place) pairs; only groups of equal keys look at the next bytes, after
//           their common prefix was skipped in one pass; small groups by comparison.
// Citation: Bentley and Sedgewick, Fast algorithms for sorting and searching strings (SODA 1997), for the idea of
//           descending only into equal parts; Wassenberg et al., Vectorized and performance-portable quicksort (2022).
// Data:     sixteen-byte references, so that the kernel moves no text and most comparisons touch none; an explicit
//           stack, since lines that are long prefixes of each other nest deeply.
// Encoding: `line_ref`.

/// Sorts `lines`, whose keys are those of `line_key(order, …)`, and returns how many stay: all, or with `order.unique`
/// one of each run of equals (they stand first). Keys have no meaning afterwards. One arena, any thread, no messages.
/// Time: keys compared once per eight bytes that distinguish; equal lines cost one pass.
std::size_t sort_lines(std::span<line_ref> lines, line_order order);

}  // namespace sheaf::tool
