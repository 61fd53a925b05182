// expect: member<2, node
// expect(not clang): node::next
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

struct node {
  int value;
  node* next;
};

void f(sheaf::byte_writer& to, node const& n) { sheaf::codec<node>::encode(to, n); }
