// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/message/statistics.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// What this location has counted since the job began. Local; in methods, too. usage_error outside of sheaf::run.
statistics local_statistics();

/// Collective: the same added up over the team's members, on each of them; marks are those of the member where they are
/// highest. Costs one all_reduce whose value grows with the pairs that were used. What the call itself sends is partly
/// counted. Both ends of a pair are in it when both are members.
statistics total_statistics(team const& members, call_site where = call_site::here());

/// Why the buffers of requests for each destination are as large as they are now, a line for each that was used. Local.
std::string explain();

}  // namespace sheaf
