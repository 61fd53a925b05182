// expect: member<2, tree
// expect(not clang): tree::parent
// expect: it is a pointer; pass the value or a handle
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <vector>

#include "sheaf/message/codec.hpp"

struct tree {
  std::vector<tree> children;
  tree* parent;
};

tree f(sheaf::byte_reader& from) { return sheaf::codec<tree>::decode(from); }
