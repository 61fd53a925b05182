// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/find_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

constexpr int not_found = 127;
constexpr int not_runnable = 126;

bool can_run(std::string const& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

void check_path(std::string const& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw command_error("there is no program " + path, not_found);
  if (std::filesystem::is_directory(path, ignored)) throw command_error(path + " is a folder", not_runnable);
  if (!can_run(path)) {
    throw command_error(path + " is not executable: if it is a program, chmod +x " + path, not_runnable);
  }
}

}  // namespace

std::string find_on_path(std::string const& name) {
  if (name.find('/') != std::string::npos) return can_run(name) ? name : std::string();
  char const* const variable = std::getenv("PATH");
  std::string const path = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t const end = std::min(path.find(':', at), path.size());
    std::string const folder = path.substr(at, end - at);
    std::string const file = (folder.empty() ? "." : folder) + "/" + name;
    if (can_run(file)) return file;
    at = end + 1;
  }
  return {};
}

void check_program(std::string const& name) {
  if (name.find('/') != std::string::npos) return check_path(name);
  if (!find_on_path(name).empty()) return;
  bool const here = can_run("./" + name);
  throw command_error(
      "there is no program " + name + " on PATH" + (here ? "; the one in this folder is ./" + name : ""), not_found);
}

}  // namespace sheaf::tool
