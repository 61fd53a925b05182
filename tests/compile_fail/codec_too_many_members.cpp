// expect: with more than 24 members
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <string>

#include "sheaf/message/codec.hpp"

struct wide {
  std::string a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y;
};

std::size_t f(wide const& w) { return sheaf::codec<wide>::size(w); }
