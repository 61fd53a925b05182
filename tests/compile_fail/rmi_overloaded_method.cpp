// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: for_an_overloaded_method_use_sheaf_overload
#include "sheaf/sheaf.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(int) {}
  void add(double) {}
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  c.async(0, sheaf::overload<int>(&counter::add), 5);
#else
  c.async(0, &counter::add, 5);
#endif
}
