// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {

class location;

namespace detail {

/// The one ambient thing of the library: the location that runs on this thread, or null outside a job. Set when a
/// location starts and by the simulator's switch; nobody else writes it.
extern constinit thread_local location* ambient_location;

}  // namespace detail
}  // namespace sheaf
