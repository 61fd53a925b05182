// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a method that is declared concurrent cannot be a coroutine
#include "sheaf/rmi/distributed.hpp"

struct store : sheaf::distributed<store> {
  using distributed::distributed;
  int value = 0;
#ifdef SHEAF_CORRECT
  int find(int) { return value; }
#else
  sheaf::task<int> find(int) { co_return value; }
#endif
};

template <>
inline constexpr bool sheaf::concurrent<&store::find> = true;

void call(store& s) { static_cast<void>(s.sync<&store::find>(0, 1)); }
