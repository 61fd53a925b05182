// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the method of a reduction must return a value
#include "sheaf/rmi/reduce.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  int total() { return 0; }
  void reset() {}
};

void call(counter& c) {
  auto const plus = [](int a, int b) { return a + b; };
#ifdef SHEAF_CORRECT
  static_cast<void>(sheaf::reduce_rmi<&counter::total>(c, plus));
#else
  static_cast<void>(sheaf::reduce_rmi<&counter::reset>(c, plus));
#endif
}
