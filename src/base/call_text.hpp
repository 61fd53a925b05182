// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/base/call_site.hpp"

namespace sheaf::detail {

/// " (called at app.cpp:41)", or nothing where that is not known.
std::string called_at(call_site const& from);

/// A rank as the program wrote it: a negative number has become one that no rank has.
std::string rank_text(std::uint64_t rank);
std::string rank_text(std::uint32_t rank);

}  // namespace sheaf::detail
