// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/available.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace sheaf::detail {
namespace {

/// The number behind the word `key` in `path`; the first number of the file for an empty key.
std::uint64_t read_number(std::string const& path, std::string const& key, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string word;
    if (!key.empty() && (!(words >> word) || word != key)) continue;
    std::uint64_t value = 0;
    return words >> value ? value : otherwise;
  }
  return otherwise;
}

/// The path of the control group of this process: version 2 has one line, 0::PATH.
std::string group_path(std::string const& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("0::", 0) == 0) return line.substr(3);
  }
  return "/";
}

std::uint64_t left_in(std::string const& folder, char const* limit_file, char const* used_file, char const* cache_key) {
  std::uint64_t const limit = read_number(folder + limit_file, "", unlimited);
  if (limit == unlimited) return unlimited;
  std::uint64_t const used = read_number(folder + used_file, "", 0);
  std::uint64_t const held = used - std::min(used, read_number(folder + "/memory.stat", cache_key, 0));
  return limit - std::min(limit, held);
}

/// The least that any group from this one up to the top leaves.
template <class Left>
std::uint64_t left_in_groups(std::string const& root, Left const& left_in_group) {
  std::uint64_t left = unlimited;
  for (std::string path = group_path(root);; path.erase(path.find_last_of('/'))) {
    left = std::min(left, left_in_group(root + "/sys/fs/cgroup" + path));
    if (path.find('/') == std::string::npos) return left;
  }
}

}  // namespace

std::uint64_t available_memory(std::string const& root) {
  std::uint64_t const kilobytes = read_number(root + "/proc/meminfo", "MemAvailable:", unlimited / 1024);
  std::uint64_t const first_version =
      left_in(root + "/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_cache");
  std::uint64_t const second_version = left_in_groups(
      root, [](std::string const& folder) { return left_in(folder, "/memory.max", "/memory.current", "file"); });
  return std::min({kilobytes * 1024, first_version, second_version});
}

std::uint64_t available_threads(std::string const& root) {
  return left_in_groups(root, [](std::string const& folder) {
    std::uint64_t const limit = read_number(folder + "/pids.max", "", unlimited);
    std::uint64_t const used = read_number(folder + "/pids.current", "", 0);
    return limit == unlimited ? unlimited : limit - std::min(limit, used);
  });
}

char const* limit_of_threads() {
  rlimit space{};
  std::size_t stack = 0;
  pthread_attr_t usual;
  if (pthread_attr_init(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &stack);
    pthread_attr_destroy(&usual);
  }
  std::uint64_t const used = read_number("/proc/self/statm", "", 0) * static_cast<std::uint64_t>(getpagesize());
  bool const limited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  return limited && used + 2 * stack > space.rlim_cur ? "ulimit -v" : "ulimit -u";
}

std::string in_bytes(std::uint64_t bytes) {
  bool const large = bytes >= 1'000'000'000;
  std::uint64_t const tenths = bytes / (large ? 100'000'000 : 100'000);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (large ? " GB" : " MB");
}

}  // namespace sheaf::detail
