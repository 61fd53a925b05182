// expect: sheaf: lent<T> is for types that travel as their bytes
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/lent.hpp"

struct flag {
#ifdef SHEAF_CORRECT
  char set;
#else
  bool set;
#endif
  int number;
};

std::size_t f(sheaf::lent<flag> const& all) { return all.size(); }
