// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string_view>

#include "sheaf/graph/graph_file.hpp"

namespace sheaf::detail {

/// What the ending of a file's name says, without .gz; automatic: nothing.
graph_format format_by_name(std::string_view path);

}  // namespace sheaf::detail
