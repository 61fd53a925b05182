// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/mpi_modules.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "transport/net/wire.hpp"

namespace sheaf::tool {
namespace {

/// The first line of what a loaded MPI says about itself.
std::string own_words(void* module) {
  using function = int(char*, int*);
  auto* const describe = reinterpret_cast<function*>(dlsym(module, "MPI_Get_library_version"));
  if (describe == nullptr) return "loads";
  std::vector<char> text(16384, '\0');
  int length = 0;
  describe(text.data(), &length);
  std::string all = text.data();
  all.erase(std::min(all.find_first_of("\n,"), all.size()));
  std::replace(all.begin(), all.end(), '\t', ' ');
  return "loads: " + all;
}

std::string load(std::string const& file) {
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  return module == nullptr ? std::string("does not load: ") + dlerror() : own_words(module);
}

std::string load_elsewhere(std::string const& file) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "not tried";
  pid_t const child = ::fork();
  if (child == 0) {
    std::string const words = load(file);
    std::_Exit(::write(ends[1], words.data(), words.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string words;
  std::array<char, 4096> block;
  for (ssize_t got; child > 0 && (got = ::read(ends[0], block.data(), block.size())) > 0;) {
    words.append(block.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return words.empty() ? "ends the process that loads it" : words;
}

}  // namespace

module_state try_module(std::string const& library) {
  std::string looked;
  for (std::string const& file : net::module_files(library)) {
    if (std::filesystem::exists(file)) return {file, load_elsewhere(file)};
    looked += (looked.empty() ? "" : ", ") + file;
  }
  return {"", "there is none at " + looked + ": build Sheaf where pkg-config finds this library"};
}

}  // namespace sheaf::tool
