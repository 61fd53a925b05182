// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/report.hpp"

namespace sheaf::tool {

/// How this command and its library were built.
report::row describe_build();

}  // namespace sheaf::tool
