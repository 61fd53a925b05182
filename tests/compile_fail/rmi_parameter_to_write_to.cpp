// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a remotely invoked method cannot have a parameter T&, since arguments travel by value
#include "sheaf/sheaf.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void take(int const&) {}
  void give(int& result) { result = 1; }
};

void call(counter& c) {
  int n = 0;
#ifdef SHEAF_CORRECT
  c.async<&counter::take>(0, n);
#else
  c.async<&counter::give>(0, n);
#endif
}
