// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: no pointer to a data member
#include "sheaf/rmi/distributed.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(int) {}
  int value = 0;
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  c.async(0, &counter::add, 5);
#else
  c.async(0, &counter::value);
#endif
}
