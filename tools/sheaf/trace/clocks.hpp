// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf::tool {

struct traced_job;

/// Sets the shift of every location: 0 on the clock of the lowest one. Clocks of different hosts are compared by what
/// the locations sent each other: no entry arrives before it was sent, which bounds the difference of two clocks from
/// both sides, directly or by way of others; the middle is taken. Notes say how exact that is, and where clocks ran
/// apart so far that nothing fits.
void compare_clocks(traced_job& job);

}  // namespace sheaf::tool
