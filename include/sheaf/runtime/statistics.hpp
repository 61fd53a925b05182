// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/message/statistics.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// What this location has counted since the job began. Local; in methods, too. usage_error outside of sheaf::run.
statistics local_statistics();

/// Collective: the sums over the team's members, on each of them; a mark is the highest of any member. Costs one
/// all_reduce whose value grows with the pairs that were used. The call's own messages are partly counted. A pair is
/// counted at both ends if both are members.
statistics total_statistics(team const& members, call_site where = call_site::here());

/// Explains the present size of the request buffers for each destination used, a line each. Local.
std::string explain();

}  // namespace sheaf
