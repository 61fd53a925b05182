// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/report.hpp"

namespace sheaf::tool {

/// What this host consists of, and which cores this process may use: through hwloc where the command was built with it.
report::row describe_topology();

}  // namespace sheaf::tool
