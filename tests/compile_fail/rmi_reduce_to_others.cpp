// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: sheaf: the result of a collective reduction goes to_all, or to_one{root}
#include "sheaf/sheaf.hpp"

struct meter : sheaf::distributed<meter> {
  explicit meter(sheaf::team const& on) : distributed(on) {}
  int level() { return 1; }
};

void use(meter& all) {
#ifdef SHEAF_CORRECT
  static_cast<void>(sheaf::collective_collect_rmi<&meter::level>(sheaf::to_one{0}, all));
#else
  static_cast<void>(sheaf::collective_collect_rmi<&meter::level>(sheaf::to_others, all));
#endif
}
