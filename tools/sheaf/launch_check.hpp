// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <vector>

#include "base/machine.hpp"
#include "sheaf/launch_plan.hpp"

namespace sheaf::tool {

/// What only the one who starts a job on this host can see: the processes look for themselves at what is left. Returns
/// warnings. Throws command_error where the launcher would run out of open files, at which Open MPI's hangs.
std::vector<std::string> check_launch(launch_plan const& plan, detail::machine_readings const& machine);

}  // namespace sheaf::tool
