// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/build_identity.hpp"

#include <elf.h>
#include <link.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <span>

namespace sheaf::mpi {
namespace {

/// FNV-1a, continued from `hash`.
std::uint64_t mix(std::uint64_t hash, std::span<char const> bytes) noexcept {
  for (char const c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::uint64_t mix_file(std::uint64_t hash, char const* path) {
  std::ifstream file(path, std::ios::binary);
  for (std::array<char, 65536> part; file.read(part.data(), part.size()), file.gcount() > 0;) {
    hash = mix(hash, {part.data(), static_cast<std::size_t>(file.gcount())});
  }
  return hash;
}

/// The build-id among the notes of one segment; empty where there is none.
std::span<char const> build_id(std::span<char const> notes) noexcept {
  constexpr auto rounded = [](std::size_t n) { return (n + 3) / 4 * 4; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    std::size_t const id_at = sizeof note + rounded(note.n_namesz);
    std::size_t const next = id_at + rounded(note.n_descsz);
    if (next > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4) return notes.subspan(id_at, note.n_descsz);
    notes = notes.subspan(next);
  }
  return {};
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
  for (auto const& part : std::span(module->dlpi_phdr, module->dlpi_phnum)) {
    if (part.p_type != PT_NOTE) continue;
    auto const* const begin = reinterpret_cast<char const*>(module->dlpi_addr + part.p_vaddr);
    std::span<char const> const id = build_id({begin, part.p_memsz});
    if (id.empty()) continue;
    hash = mix(hash, id);
    return 0;
  }
  hash = mix_file(hash, is_program ? "/proc/self/exe" : module->dlpi_name);
  return 0;
}

}  // namespace

std::uint64_t build_identity() {
  std::uint64_t hash = 0xcbf29ce484222325u;
  dl_iterate_phdr(add_module, &hash);
  return hash;
}

}  // namespace sheaf::mpi
