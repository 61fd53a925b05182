// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// In place of writer.cpp where the OTF2 library was not found.
#include "sheaf/trace/otf2_writer.hpp"

namespace sheaf::tool {

void write_otf2(traced_job const&, std::string const&) {
  throw trace_error(
      "this build cannot write OTF2: install the OTF2 library (Debian: libopen-trace-format2-dev), configure and build "
      "again; `sheaf trace perfetto` and `plot` need nothing");
}

}  // namespace sheaf::tool
