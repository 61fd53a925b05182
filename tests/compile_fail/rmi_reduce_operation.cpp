// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the operation of a reduction that travels must be trivially copyable
#include <string>

#include "sheaf/rmi/distributed.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  int total() { return 0; }
};

void call(counter& c, std::string const& text) {
#ifdef SHEAF_CORRECT
  static_cast<void>(
      c.reduce<&counter::total>(sheaf::to_all, [k = text.size()](int a, int) { return a + static_cast<int>(k); }));
#else
  static_cast<void>(
      c.reduce<&counter::total>(sheaf::to_all, [text](int a, int) { return a + static_cast<int>(text.size()); }));
#endif
}
