// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: for_an_overloaded_method_use_sheaf_overload
#include "sheaf/sheaf.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  int get(int) const { return 1; }
  int get(double) const { return 2; }
};

int call(counter& c) {
#ifdef SHEAF_CORRECT
  return c.sync<sheaf::overload<int>(&counter::get)>(0, 5);
#else
  return c.sync<&counter::get>(0, 5);
#endif
}
