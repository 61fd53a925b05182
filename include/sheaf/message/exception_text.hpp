// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <string_view>

#include "sheaf/base/location_id.hpp"

namespace sheaf::detail {

/// What is told of the exception being handled, wherever it comes out: its text, the handler in which it was thrown, on
/// which location, and who called that.
std::string exception_text(location_id here, std::string_view handler, location_id caller);

}  // namespace sheaf::detail
