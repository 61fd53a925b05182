// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

namespace sheaf::tool {

/// The file that a shell would run for this name: a path as it is, else the first executable on PATH; empty: none.
std::string find_on_path(std::string const& name);

/// Throws command_error, with the remedy, where `name` cannot be run: code 127 where there is no such file, 126 where
/// it is a folder or not executable.
void check_program(std::string const& name);

}  // namespace sheaf::tool
