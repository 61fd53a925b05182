// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Sums go to elements that are not const.
// expect: sheaf::accumulate: the global pointer points to const elements
#include "sheaf/memory.hpp"

#ifdef SHEAF_CORRECT
using element = double;
#else
using element = double const;
#endif

void add_one(sheaf::global_ptr<element> to) { sheaf::accumulate(to, 1.0); }
