// expect: local() of a pointer; use dynamic() for what it owns, offset() for an alias
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

struct row {
  int size = 0;
  int* array = nullptr;
  void define_type(sheaf::typer& t) {
    t.local(size);
#ifdef SHEAF_CORRECT
    t.dynamic(array, size);
#else
    t.local(array);
#endif
  }
};

std::size_t f(row const& r) { return sheaf::codec<row>::size(r); }
