// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// Prints on standard output as std::printf, and flushes it, if the caller is rank 0 of the team; else does nothing.
/// Local. As cout0 of YGM.
[[gnu::format(printf, 2, 3)]] void print0(team const& members, char const* format, ...);

}  // namespace sheaf
