// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a function that is called on an object takes it first, as T&
#include "sheaf/sheaf.hpp"

struct names : sheaf::distributed<names> {
  using distributed::distributed;
};
void with(names&, int) {}
void without(int) {}

void call(names& all) {
#ifdef SHEAF_CORRECT
  all.async<&with>(0, 1);
  all.async(0, &with, 1);
#else
  all.async<&without>(0, 1);
#endif
}
