// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf::detail {

/// Whether statistics are counted and the watchdog can be on: the CMake option SHEAF_INSIGHT.
#ifdef SHEAF_NO_INSIGHT
inline constexpr bool insight = false;
#else
inline constexpr bool insight = true;
#endif

}  // namespace sheaf::detail
