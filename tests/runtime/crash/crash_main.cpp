// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A job whose last location ends by a signal or calls exit: `test_crash SIGSEGV|SIGABRT|SIGFPE|SIGKILL|exit`.
#include <signal.h>

#include <cstdlib>
#include <string_view>

#include "sheaf/sheaf.hpp"

int main(int argc, char** argv) {
  std::string_view const how = argc > 1 ? argv[1] : "";
  return sheaf::run([how](sheaf::team world) {
    sheaf::barrier(world);
    if (world.rank() + 1 == world.size()) {
      if (how == "SIGSEGV") *static_cast<int volatile*>(nullptr) = 1;
      if (how == "SIGABRT") std::abort();
      if (how == "SIGFPE") raise(SIGFPE);
      if (how == "SIGKILL") raise(SIGKILL);
      if (how == "exit") std::exit(3);
    }
    sheaf::barrier(world);
  });
}
