// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: wrong number of arguments for its method
#include "sheaf/rmi/distributed.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(int) {}
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  c.async<&counter::add>(0, 1);
#else
  c.async<&counter::add>(0);
#endif
}
