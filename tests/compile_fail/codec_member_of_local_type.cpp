// expect: member<2,
// expect(not clang): ::next
// expect: it is a pointer; pass the value or a handle
// refuse: never defined
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

std::size_t f() {
  struct node {
    int value;
    node* next;
  };
  return sheaf::codec<node>::size({1, nullptr});
}
