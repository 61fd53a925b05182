// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/trace/traced_job.hpp"

namespace sheaf::tool {

/// Writes the trace as an OTF2 archive, FOLDER/traces.otf2 and what belongs to it, which Vampir, Scalasca and
/// otf2-print open. Throws trace_error: where it cannot be written, where the folder exists, and in a build without the
/// OTF2 library, which says what to install.
void write_otf2(traced_job const& job, std::string const& folder);

}  // namespace sheaf::tool
