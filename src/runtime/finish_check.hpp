// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

/// What this location still has to send, to run or to wait for; empty: nothing.
std::string leftovers(location& here);

/// Collective over the world, after its last fence and before anything else: throws error where something is left
/// here, or where the locations together have not executed as many requests as they have sent.
void check_finished(team const& world);

}  // namespace sheaf::detail
