// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <vector>

namespace sheaf::detail {

/// The numbers of the cores that this thread may run on; empty where the system does not tell.
std::vector<int> allowed_cores();

/// How many threads of this process can run at once: the allowed cores, less where a control group limits the time on
/// them.
unsigned usable_cores();

}  // namespace sheaf::detail
