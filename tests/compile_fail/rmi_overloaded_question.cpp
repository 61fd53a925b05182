// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: for_an_overloaded_method_use_sheaf_overload
#include "sheaf/rmi/distributed.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  int get(int) const { return 1; }
  int get(double) const { return 2; }
};

int call(counter& c) {
#ifdef SHEAF_CORRECT
  return sync_rmi(0, c.handle(), sheaf::overload<int>(&counter::get), 5);
#else
  return sync_rmi(0, c.handle(), &counter::get, 5);
#endif
}
