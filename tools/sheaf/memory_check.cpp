// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory_check.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "sheaf/text_error.hpp"

namespace sheaf::tool {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

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
std::uint64_t left_in_groups(std::string const& root) {
  std::string const top = root + "/sys/fs/cgroup";
  std::uint64_t left = left_in(top + "/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_cache");
  for (std::string path = group_path(root);; path.erase(path.find_last_of('/'))) {
    left = std::min(left, left_in(top + path, "/memory.max", "/memory.current", "file"));
    if (path.find('/') == std::string::npos) return left;
  }
}

std::string in_gigabytes(std::uint64_t bytes) {
  std::uint64_t const tenths = bytes / 100'000'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

}  // namespace

std::uint64_t available_memory(std::string const& root) {
  std::uint64_t const kilobytes = read_number(root + "/proc/meminfo", "MemAvailable:", unlimited / 1024);
  return std::min(kilobytes * 1024, left_in_groups(root));
}

std::uint64_t sort_memory(std::uint64_t text_bytes, std::uint64_t lines) noexcept {
  return text_bytes + text_bytes / 8 + 32 * lines;
}

void check_sort_memory(std::uint64_t text_bytes, std::uint64_t lines, std::uint64_t available) {
  std::uint64_t const needed = sort_memory(text_bytes, lines);
  if (needed <= available) return;
  throw text_error("input of " + in_gigabytes(text_bytes) + " in about " + std::to_string(lines) + " lines needs " +
                   in_gigabytes(needed) + " of memory, but at most " + in_gigabytes(available) +
                   " are available: sort on more hosts, or sort parts and merge them with `sort -m`");
}

}  // namespace sheaf::tool
