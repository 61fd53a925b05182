// expect: dynamic() of a pointer to a polymorphic class
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

struct shape {
  virtual ~shape() = default;
  int sides = 0;
  void define_type(sheaf::typer& t) { t.local(sides); }
};
struct drawing {
  shape* what = nullptr;
  void define_type(sheaf::typer& t) { t.dynamic(what); }
};

std::size_t f(drawing const& d) { return sheaf::codec<drawing>::size(d); }
