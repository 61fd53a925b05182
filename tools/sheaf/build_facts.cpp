// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/build_facts.hpp"

#include <cstdio>

#include "base/modules.hpp"
#include "sheaf/base/version.hpp"

namespace sheaf::tool {

report::row describe_build() {
  char identity[20];
  std::snprintf(identity, sizeof identity, "%016llx", static_cast<unsigned long long>(detail::build_identity()));
  return {{"version", version()},
          {"commit", SHEAF_BUILD_COMMIT},
          {"compiler", SHEAF_BUILD_COMPILER},
          {"build type", SHEAF_BUILD_TYPE},
          {"flags", SHEAF_BUILD_FLAGS},
          {"sanitizers", SHEAF_BUILD_SANITIZE},
          {"MPI modules", SHEAF_BUILD_MPI},
          {"identity of sheaf and libsheaf", identity}};
}

}  // namespace sheaf::tool
