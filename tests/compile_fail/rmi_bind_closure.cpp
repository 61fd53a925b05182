// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: bind takes a method or a function
#include "sheaf/sheaf.hpp"

void greet(int) {}

void call(sheaf::team const& world) {
#ifdef SHEAF_CORRECT
  world.bind<&greet>()(0, 1);
#else
  world.bind<[](int) {}>()(0, 1);
#endif
}
