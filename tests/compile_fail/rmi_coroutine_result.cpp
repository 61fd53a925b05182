// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the result of a remotely invoked method must be a type that can travel
#include "sheaf/rmi/distributed.hpp"

struct store : sheaf::distributed<store> {
  using distributed::distributed;
  int value = 0;
#ifdef SHEAF_CORRECT
  sheaf::task<int> find(int) { co_return value; }
#else
  sheaf::task<int*> find(int) { co_return &value; }
#endif
};

void call(store& s) { static_cast<void>(s.sync<&store::find>(0, 1)); }
