// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/build_facts.hpp"

#include <cstdio>

#include "sheaf/base/version.hpp"
#include "transport/net/build_identity.hpp"

namespace sheaf::tool {

report::row describe_build() {
  char identity[20];
  std::snprintf(identity, sizeof identity, "%016llx", static_cast<unsigned long long>(net::build_identity()));
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
