// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: array
// expect(not clang): is_array_v
#include <string>

#include "sheaf/runtime/collectives.hpp"

void call(sheaf::team const& members) {
#ifdef SHEAF_CORRECT
  static_cast<void>(sheaf::broadcast(members, 0, std::string("text")));
#else
  static_cast<void>(sheaf::broadcast(members, 0, "text"));
#endif
}
