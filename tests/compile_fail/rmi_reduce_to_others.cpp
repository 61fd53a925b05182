// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: to_all_members
#include "sheaf/sheaf.hpp"

#include <functional>

struct meter : sheaf::distributed<meter> {
  using distributed::distributed;
  int level() { return 1; }
};

void use(meter& all) {
#ifdef SHEAF_CORRECT
  static_cast<void>(all.reduce<&meter::level>(sheaf::to_all, std::plus<>()));
#else
  static_cast<void>(all.reduce<&meter::level>(sheaf::to_others, std::plus<>()));
#endif
}
