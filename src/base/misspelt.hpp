// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string_view>
#include <vector>

namespace sheaf::detail {

/// Whether one word becomes the other by one letter that is put in, left out or replaced, or by two that change places.
bool nearly_same(std::string_view a, std::string_view b);

/// Throws option_error where the environment has a variable that is nearly, but not quite, one of these.
void refuse_misspelt(std::vector<std::string_view> const& known);

}  // namespace sheaf::detail
