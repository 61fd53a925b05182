// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a call to a whole team takes its method at compile time
#include "sheaf/rmi/broadcast.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(int) {}
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  sheaf::broadcast_rmi<&counter::add>(sheaf::to_all, c, 1);
  sheaf::broadcast_rmi(sheaf::in_pair_order(sheaf::to_all), c, &counter::add, 1);
#else
  sheaf::broadcast_rmi(sheaf::to_all, c, &counter::add, 1);
#endif
}
