// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace sheaf::host {

/// The threads that play the locations of one process; the caller is the first of them. `cores`: where to bind each;
/// empty: they float. Calls `play(i)` on thread i, 0 on the caller, all at once, and returns when all have returned;
/// meanwhile, once its own play has ended, the caller calls `tend()` again and again, unless that is empty. Throws
/// option_error, and plays nothing, where the system refuses a thread; `variable` is the setting that asks for them.
void play_together(std::uint32_t count, std::vector<int> const& cores, std::function<void(std::uint32_t)> const& play,
                   char const* variable, std::function<void()> const& tend = {});

}  // namespace sheaf::host
