// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <CLI/CLI.hpp>
#include <cstdio>

#include "sheaf/base/version.hpp"
#include "sheaf/sort_command.hpp"

namespace {

/// The first word if it is none of the commands, which CLI11 would call a missing one.
char const* unknown_command(CLI::App& app, int argc, char** argv) {
  char const* const word = argc > 1 && argv[1][0] != '-' ? argv[1] : nullptr;
  if (word == nullptr) return nullptr;
  for (CLI::App const* each : app.get_subcommands({})) {
    if (each->get_name() == word) return nullptr;
  }
  return word;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sheaf: fine-grain distributed parallelism");
  app.set_version_flag("--version", std::string("sheaf ") + sheaf::version());
  app.require_subcommand(1);
  sheaf::tool::sort_command sort(app);
  if (char const* const word = unknown_command(app, argc, argv)) {
    std::fprintf(stderr, "sheaf: '%s' is no command; there is sort. Run with --help for more information.\n", word);
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& wrong) {
    int const code = app.exit(wrong);
    return code == 0 ? 0 : 2;
  }
  return sort.run();
}
