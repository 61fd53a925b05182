// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/base/version.hpp"
#include "sheaf/bench_command.hpp"
#include "sheaf/command.hpp"
#include "sheaf/graph/graph_command.hpp"
#include "sheaf/info_command.hpp"
#include "sheaf/run_command.hpp"
#include "sheaf/sort_command.hpp"
#include "sheaf/trace/trace_command.hpp"

namespace {

using sheaf::tool::command;

/// Every sub-command: one line and one file each.
std::vector<std::unique_ptr<command>> make_commands(CLI::App& app) {
  std::vector<std::unique_ptr<command>> all;
  all.push_back(std::make_unique<sheaf::tool::run_command>(app));
  all.push_back(std::make_unique<sheaf::tool::info_command>(app));
  all.push_back(std::make_unique<sheaf::tool::bench_command>(app));
  all.push_back(std::make_unique<sheaf::tool::sort_command>(app));
  all.push_back(std::make_unique<sheaf::tool::graph_command>(app));
  all.push_back(std::make_unique<sheaf::tool::trace_command>(app));
  return all;
}

/// The first word if it is none of the commands, which CLI11 would call a missing one.
char const* unknown_command(CLI::App& app, int argc, char** argv) {
  char const* const word = argc > 1 && argv[1][0] != '-' ? argv[1] : nullptr;
  if (word == nullptr) return nullptr;
  for (CLI::App const* each : app.get_subcommands({})) {
    if (each->get_name() == word) return nullptr;
  }
  return word;
}

std::string names(CLI::App& app) {
  std::string all;
  for (CLI::App const* each : app.get_subcommands({})) all += (all.empty() ? "" : ", ") + each->get_name();
  return all;
}

/// What this program opens must not take the number of a standard stream that it was started without: a job would then
/// read or write there what is not its own. Reading from such a stream fails, and so does writing.
void hold_standard_streams() {
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    static_cast<void>(!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

/// What is not on standard output in the end is an error, whatever the command did.
int after_output(int code) {
  errno = 0;
  bool const written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush();
  if (written || code != 0) return code;
  char const* const why = errno == 0 ? "" : std::strerror(errno);
  std::fprintf(stderr, "sheaf: cannot write standard output%s%s\n", *why == '\0' ? "" : ": ", why);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  CLI::App app("Sheaf: fine-grain distributed parallelism");
  app.set_version_flag("--version", std::string("sheaf ") + sheaf::version());
  app.require_subcommand(1);
  auto const commands = make_commands(app);
  if (char const* const word = unknown_command(app, argc, argv)) {
    std::fprintf(stderr, "sheaf: '%s' is no command; there is %s. Run with --help for more information.\n", word,
                 names(app).c_str());
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& wrong) {
    int const code = app.exit(wrong);
    return after_output(code == 0 ? 0 : 2);
  }
  for (auto const& each : commands) {
    if (each->chosen()) return after_output(each->run());
  }
  return 2;
}
