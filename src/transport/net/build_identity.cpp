// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/build_identity.hpp"

#include <link.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <span>

#include "base/modules.hpp"

namespace sheaf::net {
namespace {

std::uint64_t mix_file(std::uint64_t hash, char const* path) {
  std::ifstream file(path, std::ios::binary);
  for (std::array<char, 65536> part; file.read(part.data(), part.size()), file.gcount() > 0;) {
    hash = detail::mixed(hash, {part.data(), static_cast<std::size_t>(file.gcount())});
  }
  return hash;
}

bool contains(dl_phdr_info const& module, std::uintptr_t address) noexcept {
  for (auto const& part : std::span(module.dlpi_phdr, module.dlpi_phnum)) {
    std::uintptr_t const begin = module.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address - begin < part.p_memsz) return true;
  }
  return false;
}

/// Adds one loaded file to the hash if it is the program (the first) or libsheaf (where this function is).
int add_module(dl_phdr_info* module, std::size_t, void* state) {
  auto& hash = *static_cast<std::uint64_t*>(state);
  bool const is_program = module->dlpi_name == nullptr || module->dlpi_name[0] == '\0';
  if (!is_program && !contains(*module, reinterpret_cast<std::uintptr_t>(&add_module))) return 0;
  std::span<char const> const id = detail::build_id(*module);
  hash = id.empty() ? mix_file(hash, is_program ? "/proc/self/exe" : module->dlpi_name) : detail::mixed(hash, id);
  return 0;
}

}  // namespace

std::uint64_t build_identity() {
  std::uint64_t hash = detail::nothing_mixed;
  dl_iterate_phdr(add_module, &hash);
  return hash;
}

}  // namespace sheaf::net
