// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the operation of a collective call comes after the values
#include <functional>

#include "sheaf/runtime/collectives.hpp"

void call(sheaf::team const& members) {
#ifdef SHEAF_CORRECT
  static_cast<void>(sheaf::all_reduce(members, 1, std::plus<>{}));
#else
  static_cast<void>(sheaf::all_reduce(members, std::plus<>{}, 1));
#endif
}
