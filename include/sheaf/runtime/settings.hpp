// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/options.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// The settings in force here, with every default filled in. Throws usage_error outside of sheaf::run.
inline options const& settings(call_site where = call_site::here()) {
  return detail::current("settings", where).settings();
}

/// How many bytes this location gathers for a destination before it sends a buffer (ARMI's set_aggregation): `first`
/// after a wait, growing with each full buffer to `most`; equal numbers fix the size. `of`: destinations on this host
/// (reach::near), on others (far), or all. 1…settings().buffer_bytes, near 1…near_buffer_bytes, else throws
/// usage_error. Local; from now on.
inline void set_aggregation(std::size_t first, std::size_t most, reach of = reach::all,
                            call_site where = call_site::here()) {
  detail::current("set_aggregation", where).set_aggregation(first, most, of, where);
}

}  // namespace sheaf
