// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the operation of a reduction that travels must be trivially copyable
#include <string>

#include "sheaf/rmi/reduce.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  int total() { return 0; }
};

void call(counter& c, std::string const& text) {
#ifdef SHEAF_CORRECT
  static_cast<void>(
      sheaf::reduce_rmi<&counter::total>(c, [k = text.size()](int a, int) { return a + static_cast<int>(k); }));
#else
  static_cast<void>(
      sheaf::reduce_rmi<&counter::total>(c, [text](int a, int) { return a + static_cast<int>(text.size()); }));
#endif
}
