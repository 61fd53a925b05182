// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/modules.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>

namespace sheaf::detail {
namespace {

/// FNV-1a, continued from `hash`.
std::uint64_t mixed(std::uint64_t hash, std::span<char const> bytes) noexcept {
  for (char const c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}
constexpr std::uint64_t nothing_mixed = 0xcbf29ce484222325u;

std::uint64_t mix_file(std::uint64_t hash, char const* path) {
  std::ifstream file(path, std::ios::binary);
  for (std::array<char, 65536> part; file.read(part.data(), part.size()), file.gcount() > 0;) {
    hash = mixed(hash, {part.data(), static_cast<std::size_t>(file.gcount())});
  }
  return hash;
}

std::span<char const> build_id_among(std::span<char const> notes) noexcept {
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

std::span<ElfW(Phdr) const> parts_of(dl_phdr_info const& module) noexcept {
  return {module.dlpi_phdr, module.dlpi_phnum};
}

/// Empty where the linker wrote none.
std::span<char const> build_id(dl_phdr_info const& module) noexcept {
  for (auto const& part : parts_of(module)) {
    if (part.p_type != PT_NOTE) continue;
    auto const* const begin = reinterpret_cast<char const*>(module.dlpi_addr + part.p_vaddr);
    if (auto const id = build_id_among({begin, part.p_memsz}); !id.empty()) return id;
  }
  return {};
}

bool contains(dl_phdr_info const& module, std::uintptr_t address) noexcept {
  return std::ranges::any_of(parts_of(module), [&](auto const& part) {
    return part.p_type == PT_LOAD && address - (module.dlpi_addr + part.p_vaddr) < part.p_memsz;
  });
}

/// Adds one loaded file to the hash if it is the program (the first) or libsheaf (where this function is).
int mix_module(dl_phdr_info* module, std::size_t, void* state) {
  auto& hash = *static_cast<std::uint64_t*>(state);
  bool const is_program = module->dlpi_name == nullptr || module->dlpi_name[0] == '\0';
  if (!is_program && !contains(*module, reinterpret_cast<std::uintptr_t>(&mix_module))) return 0;
  std::span<char const> const id = build_id(*module);
  hash = id.empty() ? mix_file(hash, is_program ? "/proc/self/exe" : module->dlpi_name) : mixed(hash, id);
  return 0;
}

/// Of the build-id. A file without one is known by its name and the sizes of its segments.
std::uint64_t identity_of(dl_phdr_info const& module, std::string const& name) {
  if (auto const id = build_id(module); !id.empty()) return mixed(nothing_mixed, id);
  std::uint64_t hash = mixed(nothing_mixed, name);
  for (auto const& part : parts_of(module)) {
    std::uint64_t const sizes[] = {part.p_type, part.p_vaddr, part.p_memsz};
    hash = mixed(hash, {reinterpret_cast<char const*>(sizes), sizeof sizes});
  }
  return hash;
}

}  // namespace

std::uint64_t build_identity() {
  std::uint64_t hash = nothing_mixed;
  dl_iterate_phdr(mix_module, &hash);
  return hash;
}

void loaded_modules::read() {
  files_.clear();
  segments_.clear();
  auto const add = [](dl_phdr_info* module, std::size_t, void* to) {
    auto& all = *static_cast<loaded_modules*>(to);
    std::string_view const path = module->dlpi_name == nullptr ? "" : module->dlpi_name;
    std::string name(path.empty() ? "the program" : path.substr(path.rfind('/') + 1));
    for (auto const& part : parts_of(*module)) {
      if (part.p_type != PT_LOAD) continue;
      std::uintptr_t const begin = module->dlpi_addr + part.p_vaddr;
      all.segments_.push_back({begin, begin + part.p_memsz, all.files_.size(), (part.p_flags & PF_X) != 0});
    }
    std::uint64_t const identity = identity_of(*module, name);
    all.files_.push_back({identity, module->dlpi_addr, std::move(name)});
    return 0;
  };
  dl_iterate_phdr(add, this);
  std::ranges::sort(segments_, {}, &segment::begin);
}

loaded_modules::segment const* loaded_modules::find(std::uintptr_t address) const {
  auto const after = std::ranges::upper_bound(segments_, address, {}, &segment::begin);
  if (after == segments_.begin()) return nullptr;
  segment const& before = *(after - 1);
  return address < before.end ? &before : nullptr;
}

std::uintptr_t loaded_modules::find(code_place place) const {
  for (auto const& f : files_) {
    if (f.identity != place.module) continue;
    std::uintptr_t const address = f.base + place.offset;
    segment const* const in = find(address);
    if (in != nullptr && in->executable && &files_[in->module] == &f) return address;
  }
  return 0;
}

bool loaded_modules::place_of(std::uintptr_t address, code_place& place) {
  segment const* const in = find_loaded(address);
  if (in == nullptr || !in->executable) return false;
  file const& holds = files_[in->module];
  place = {holds.identity, address - holds.base};
  return true;
}

std::uintptr_t loaded_modules::address_of(code_place place) { return find_loaded(place); }

bool loaded_modules::are_loaded(std::uintptr_t address, std::size_t bytes) {
  segment const* const in = find_loaded(address);
  return in != nullptr && in->end - address >= bytes;
}

std::string loaded_modules::name_of(std::uint64_t module) const {
  auto const of = std::ranges::find(files_, module, &file::identity);
  return of != files_.end() ? of->name : "no module loaded here";
}

}  // namespace sheaf::detail
