// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: overload_for_exactly_these_arguments_else_use_sheaf_overload
#include "sheaf/rmi/distributed.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(int) {}
  void add(double) {}
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  c.async(0, &counter::add, 5);
  async_rmi(0, c.handle(), &counter::add, 5.0);
  async_rmi(0, c.handle(), sheaf::overload<int>(&counter::add), 'c');
#else
  async_rmi(0, c.handle(), &counter::add, 'c');
#endif
}
