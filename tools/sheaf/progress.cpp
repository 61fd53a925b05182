// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace sheaf::tool {

progress::~progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

bool progress::on_terminal() { return isatty(STDERR_FILENO) == 1; }

void progress::phase(char const* name) {
  name_ = name;
  done_ = next_ = 0;
  if (shown_) show();
}

void progress::show() {
  next_ = done_ + total_ / 100;
  unsigned const percent = static_cast<unsigned>(std::min<std::uint64_t>(100, done_ * 100 / total_));
  std::fprintf(stderr, "\r\033[Ksheaf sort: %s %3u %%", name_, percent);
  std::fflush(stderr);
}

}  // namespace sheaf::tool
