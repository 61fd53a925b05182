// expect: it is a pointer to a member; name the member at compile time
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/arguments_codec.hpp"

struct counter {
  void add(int);
};

std::size_t f() { return sheaf::arguments_codec<void (counter::*)(int)>::size(&counter::add); }
