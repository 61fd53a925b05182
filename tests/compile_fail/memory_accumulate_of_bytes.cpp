// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Elements of 8 and 16 bits have no sums.
// expect: sheaf::accumulate: elements are integers of 32 or 64 bits, float, double, or std::complex of the last two
#include "sheaf/memory.hpp"

#ifdef SHEAF_CORRECT
using element = int;
#else
using element = short;
#endif

void add_one(sheaf::global_ptr<element> to, element const& value) { sheaf::accumulate(to, value); }
