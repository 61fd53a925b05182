// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace sheaf::tool {

/// Sends the signal to those processes on this host that `ancestor` has started, directly or not, that have the
/// variable in the environment they began with, and that have an action of their own for the signal. Returns to how
/// many.
std::size_t signal_those_that_catch(int signal, pid_t ancestor, std::string const& variable);

}  // namespace sheaf::tool
