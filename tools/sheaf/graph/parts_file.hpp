// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/runtime/team.hpp"

namespace sheaf::tool {

/// Collective. Makes the file of all members' parts, in the order of ranks, which all write at a time. Throws
/// command_error on all members.
void write_parts(team const& members, std::string const& path, std::string const& own);

}  // namespace sheaf::tool
