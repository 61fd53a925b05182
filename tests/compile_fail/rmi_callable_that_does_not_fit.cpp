// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the callable of a remote call cannot be called as f(object, values...)
#include "sheaf/sheaf.hpp"

struct names : sheaf::distributed<names> {
  using distributed::distributed;
};

void call(names& all, sheaf::team const& world) {
#ifdef SHEAF_CORRECT
  all.async(
      0, [](names&, int) {}, 1);
  world.async(
      0, [](int) {}, 1);
#else
  world.async(
      0, [](int&) {}, 1);
#endif
}
