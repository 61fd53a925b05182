// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <ostream>

#include "sheaf/trace/traced_job.hpp"

namespace sheaf::tool {

/// Writes the trace as JSON of the trace-event format, which ui.perfetto.dev and chrome://tracing open: a track for
/// each location, a slice for whatever begins and ends, an arrow for each entry whose both ends were recorded.
void write_perfetto(traced_job const& job, std::ostream& to);

}  // namespace sheaf::tool
