// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <ostream>

#include "sheaf/trace/traced_job.hpp"

namespace sheaf::tool {

/// For a terminal: what took how long, most first, at most `most` lines a table, and how evenly the locations worked.
/// From sums that are complete where events were dropped, too.
void write_summary(traced_job const& job, std::size_t most, std::ostream& to);

}  // namespace sheaf::tool
