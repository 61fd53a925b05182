// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A put goes to elements that are not const.
// expect: sheaf::put: the global pointer points to const elements
#include "sheaf/memory.hpp"

#ifdef SHEAF_CORRECT
using element = int;
#else
using element = int const;
#endif

void put_one(sheaf::global_ptr<element> to) { sheaf::put(to, 1); }
