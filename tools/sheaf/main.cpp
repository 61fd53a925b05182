// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <CLI/CLI.hpp>

#include "sheaf/base/version.hpp"
#include "sheaf/sort_command.hpp"

int main(int argc, char** argv) {
  CLI::App app("Sheaf: fine-grain distributed parallelism");
  app.set_version_flag("--version", std::string("sheaf ") + sheaf::version());
  app.require_subcommand(1);
  sheaf::tool::sort_command sort(app);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& wrong) {
    int const code = app.exit(wrong);
    return code == 0 ? 0 : 2;
  }
  return sort.run();
}
