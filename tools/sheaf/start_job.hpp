// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/launch_plan.hpp"

namespace sheaf::tool {

/// Runs the plan's command, and returns the exit status that a shell would give. A command without a launcher takes
/// this process over. A launcher gets every signal that ends jobs once, whoever else sent it to it: Open MPI's leaves
/// processes behind at the second. It is told to end, too, when this process is killed. Throws command_error where the
/// system refuses.
int start_job(launch_plan const& plan);

}  // namespace sheaf::tool
