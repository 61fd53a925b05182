// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/version.hpp"

namespace sheaf {

char const* version() noexcept { return SHEAF_VERSION; }

}  // namespace sheaf
