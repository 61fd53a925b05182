// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A word that others may only read is loaded, not changed.
// expect: atomic_integer
#include "sheaf/memory.hpp"

int change_one(sheaf::global_ptr<int const> word) {
#ifdef SHEAF_CORRECT
  return sheaf::atomic_load(word);
#else
  return sheaf::fetch_add(word, 1);
#endif
}
