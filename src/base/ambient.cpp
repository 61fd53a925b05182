// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/ambient.hpp"

namespace sheaf::detail {

constinit thread_local location* ambient_location = nullptr;

}  // namespace sheaf::detail
