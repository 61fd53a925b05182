// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/job_processes.hpp"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

namespace sheaf::tool {
namespace {

/// A file of a process's in /proc; empty where it is gone, or another user's.
std::string file_of(pid_t process, char const* name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/" + name, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();  // throws nothing where the process ends meanwhile
  return all.str();
}

/// The value behind `name` in /proc/N/status; empty: it has none.
std::string status_of(pid_t process, std::string const& name) {
  std::string const all = file_of(process, "status");
  auto const at = all.find("\n" + name + ":\t");
  if (at == all.npos) return {};
  auto const from = at + name.size() + 3;
  return all.substr(from, all.find('\n', from) - from);
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> all;
  std::error_code gone;
  for (std::filesystem::directory_iterator at("/proc", gone), end; !gone && at != end; at.increment(gone)) {
    std::string const name = at->path().filename();
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
    pid_t const process = std::stoi(name);
    if (std::string const parent = status_of(process, "PPid"); !parent.empty()) all.emplace(std::stoi(parent), process);
  }
  return all;
}

bool catches(pid_t process, int signal) {
  std::string const mask = status_of(process, "SigCgt");
  return !mask.empty() && (std::stoull(mask, nullptr, 16) >> (signal - 1) & 1U) != 0;
}

bool has_variable(pid_t process, std::string const& variable) {
  return (std::string(1, '\0') + file_of(process, "environ")).find('\0' + variable + "=") != std::string::npos;
}

}  // namespace

std::size_t signal_those_that_catch(int signal, pid_t ancestor, std::string const& variable) {
  auto const children = children_by_parent();
  std::vector<pid_t> family{ancestor};
  for (std::size_t i = 0; i < family.size(); ++i) {
    auto const [first, last] = children.equal_range(family[i]);
    for (auto at = first; at != last; ++at) family.push_back(at->second);
  }
  return static_cast<std::size_t>(std::count_if(family.begin() + 1, family.end(), [&](pid_t process) {
    return has_variable(process, variable) && catches(process, signal) && ::kill(process, signal) == 0;
  }));
}

}  // namespace sheaf::tool
