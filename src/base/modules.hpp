// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::detail {

/// A number of this program and this libsheaf: from the build-ids of the two files, or the contents of one without.
std::uint64_t build_identity();

/// A place in a program or shared library, wherever loaded. `module`: its build, equal in all processes that load it.
struct code_place {
  std::uint64_t module = 0;
  std::uint64_t offset = 0;
};

/// What this process has loaded: the program and its shared libraries, with the segments of each. The list is read
/// again when something is not found in it. A library must stay loaded while places in it are in use.
class loaded_modules {
 public:
  /// True: `address` lies in an executable segment, and `place` says where.
  bool place_of(std::uintptr_t address, code_place& place);

  /// The address of a place; 0 where no such module is loaded, or the place is not in an executable segment of it.
  std::uintptr_t address_of(code_place place);

  /// Whether `bytes` from `address` on are within one segment that is loaded from a file.
  bool are_loaded(std::uintptr_t address, std::size_t bytes);

  /// The file's name without folders, "the program", or "no module loaded here".
  [[nodiscard]] std::string name_of(std::uint64_t module) const;

 private:
  struct segment {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t module = 0;
    bool executable = false;
  };
  struct file {
    std::uint64_t identity = 0;
    std::uintptr_t base = 0;
    std::string name;
  };

  void read();
  [[nodiscard]] segment const* find(std::uintptr_t address) const;
  [[nodiscard]] std::uintptr_t find(code_place place) const;
  auto find_loaded(auto what) {
    if (auto const found = find(what)) return found;
    read();
    return find(what);
  }

  std::vector<file> files_;
  std::vector<segment> segments_;  // by address
};

}  // namespace sheaf::detail
