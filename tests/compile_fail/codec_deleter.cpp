// expect: its deleter is not the default one
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/std.hpp"

struct give_back {
  void operator()(int* p) const { delete p; }
};
using loan = std::unique_ptr<int, give_back>;

std::size_t f(loan const& p) { return sheaf::codec<loan>::size(p); }
