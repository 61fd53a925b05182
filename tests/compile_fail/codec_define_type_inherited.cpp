// expect: its define_type is a base's
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <string>

#include "sheaf/message/codec.hpp"

struct base {
  int size = 0;
  void define_type(sheaf::typer& t) { t.local(size); }
};
struct derived : base {
  std::string name;
#ifdef SHEAF_CORRECT
  void define_type(sheaf::typer& t) {
    base::define_type(t);
    t.local(name);
  }
#endif
};

std::size_t f(derived const& d) { return sheaf::codec<derived>::size(d); }
