// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

namespace sheaf::tool {

/// The wire module of one MPI library.
struct module_state {
  std::string file;   ///< empty: there is none
  std::string state;  ///< what the MPI library says about itself, or why the module cannot be used
};

/// Loads the module of `library` (openmpi, mpich) in a process of its own, since two MPI libraries in one get into each
/// other's way.
module_state try_module(std::string const& library);

}  // namespace sheaf::tool
