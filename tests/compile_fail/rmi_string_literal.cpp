// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a callable of a remote call is given a string literal, which is a pointer and cannot travel
#include "sheaf/sheaf.hpp"

struct names : sheaf::distributed<names> {
  using distributed::distributed;
};

void call(names& all) {
  auto const take = [](names&, std::string const&) {};
#ifdef SHEAF_CORRECT
  all.async(0, take, std::string("text"));
#else
  all.async(0, take, "text");
#endif
}
