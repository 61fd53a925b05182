// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the method of a reduction must return a value
#include "sheaf/rmi/distributed.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  int total() { return 0; }
  void reset() {}
};

void call(counter& c) {
  auto const plus = [](int a, int b) { return a + b; };
#ifdef SHEAF_CORRECT
  static_cast<void>(c.reduce<&counter::total>(sheaf::to_all, plus));
#else
  static_cast<void>(c.reduce<&counter::reset>(sheaf::to_all, plus));
#endif
}
