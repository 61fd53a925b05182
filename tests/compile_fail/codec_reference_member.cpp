// expect: it is a reference; pass the value or a handle
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

struct holder {
  int a;
  int& b;
};

std::size_t f(holder const& h) { return sheaf::codec<holder>::size(h); }
