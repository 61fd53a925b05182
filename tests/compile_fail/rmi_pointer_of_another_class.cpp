// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the method of a remote call must be one of the object's class or of a base of it
#include "sheaf/rmi/distributed.hpp"

struct other {
  void add(int) {}
};
struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(int) {}
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  c.async(0, &counter::add, 5);
#else
  c.async(0, &other::add, 5);
#endif
}
