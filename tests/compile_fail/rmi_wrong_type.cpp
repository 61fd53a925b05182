// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: does not convert to the parameter of its method
#include <vector>

#include "sheaf/rmi/distributed.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(std::vector<int> const&) {}
};

void call(counter& c) {
#ifdef SHEAF_CORRECT
  c.async<&counter::add>(0, std::vector<int>{5});
#else
  c.async<&counter::add>(0, 5);
#endif
}
