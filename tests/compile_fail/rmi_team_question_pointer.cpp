// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a call to a whole team takes its method at compile time
#include "sheaf/rmi/reduce.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  int total() { return 1; }
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  static_cast<void>(sheaf::collect_rmi<&counter::total>(c));
#else
  static_cast<void>(sheaf::collect_rmi(c, &counter::total));
#endif
}
