// expect: member<2, drawing
// expect(not clang): drawing::what
// expect: it points to a polymorphic class
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/std.hpp"

struct shape {
  virtual ~shape() = default;
};

struct drawing {
  int number;
  std::unique_ptr<shape> what;
};

std::size_t f(drawing const& d) { return sheaf::codec<drawing>::size(d); }
