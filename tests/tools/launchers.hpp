// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "sheaf/launch_plan.hpp"

namespace sheaf::test {

inline bool has_launcher(std::string const& mpi) {
  sheaf::tool::launch_machine const here = sheaf::tool::look_around();
  return !(mpi == "openmpi" ? here.openmpi : here.mpich).empty();
}

/// The MPI libraries over which jobs of Sheaf can be run here: with a wire module and a launcher.
inline std::vector<std::string> mpis() {
  std::istringstream built(SHEAF_TEST_MPIS);
  std::vector<std::string> all;
  for (std::string each; built >> each;) {
    if (has_launcher(each)) all.push_back(each);
  }
  return all;
}

}  // namespace sheaf::test
