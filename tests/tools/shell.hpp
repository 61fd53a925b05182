// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace sheaf::test {

/// What a command wrote, on both outputs, and its exit status.
struct shell_result {
  std::string text;
  int code = -1;

  bool says(std::string const& part) const { return text.find(part) != std::string::npos; }
};

/// Runs a line of the shell, for a minute at most.
inline shell_result shell(std::string const& line) {
  std::string const command = "exec 2>&1 < /dev/null; " + line;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  shell_result all;
  std::array<char, 4096> block;
  while (std::size_t const n = std::fread(block.data(), 1, block.size(), pipe)) all.text.append(block.data(), n);
  int const status = ::pclose(pipe);
  all.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return all;
}

/// `sheaf WORDS`, with nothing of Sheaf's in the environment but what the words set.
inline shell_result sheaf_tool(std::string const& words, std::string const& before = "") {
  return shell(before + " timeout -k 5 100 " SHEAF_TOOL_PATH " " + words);
}

}  // namespace sheaf::test
