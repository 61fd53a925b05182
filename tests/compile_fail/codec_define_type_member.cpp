// expect: member<2, inner
// expect(not clang): inner::name
// expect: it is a pointer; pass the value or a handle
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

struct inner {
  int number;
  char const* name;
};
struct outer {
  inner part;
  void define_type(sheaf::typer& t) { t.local(part); }
};

std::size_t f(outer const& o) { return sheaf::codec<outer>::size(o); }
