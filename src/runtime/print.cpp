// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/print.hpp"

#include <cstdarg>
#include <cstdio>

namespace sheaf {

void print0(team const& members, char const* format, ...) {
  if (members.rank() != 0) return;
  std::va_list values;
  va_start(values, format);
  std::vprintf(format, values);
  va_end(values);
  std::fflush(stdout);
}

}  // namespace sheaf
