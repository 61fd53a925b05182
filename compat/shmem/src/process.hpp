// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/memory/detail/one_sided.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_shmem {

using sheaf::location_id;
using sheaf::detail::change_kind;
using sheaf::detail::const_strided;
using sheaf::detail::one_sided;
using sheaf::detail::place;
using sheaf::detail::strided;

/// Memory that every process has alike: where it begins at home, and where at the others. Some of the heap, or the
/// program's own data.
struct region {
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> starts;  ///< by PE
};

/// This process between shmem_init and shmem_finalize.
struct process {
  one_sided* memory = nullptr;
  std::uint32_t count = 0;  ///< 0 outside: no number of a PE is legal then
  std::uint32_t self = 0;
  std::optional<sheaf::team> world;
  std::vector<region> regions;
};
extern process here;

/// Ends the job with a text: this process's number, the function, what is wrong with which value, and the remedy.
[[noreturn, gnu::cold]] void fail(char const* function, std::string const& what);
/// Ends the job with the text of the exception that is being handled.
[[noreturn, gnu::cold]] void fail_caught(char const* function);
[[noreturn, gnu::cold]] void refuse_pe(char const* function, int pe);
[[noreturn, gnu::cold]] void refuse_address(char const* function, void const* address);

inline location_id checked_pe(char const* function, int pe) {
  if (static_cast<std::uint32_t>(pe) >= here.count) [[unlikely]]
    refuse_pe(function, pe);
  return location_id{static_cast<std::uint32_t>(pe)};
}
inline void check_begun(char const* function) { static_cast<void>(checked_pe(function, 0)); }

/// The region of an address at home; null: it is not symmetric.
inline region const* region_of(void const* address) noexcept {
  for (region const& one : here.regions) {
    if (sheaf::detail::address_of(address) - one.start < one.bytes) return &one;
  }
  return nullptr;
}

/// What is there at another PE.
inline place remote(char const* function, void const* address, int pe) {
  location_id const where = checked_pe(function, pe);
  region const* const in = region_of(address);
  if (in == nullptr) [[unlikely]]
    refuse_address(function, address);
  return {where, sheaf::detail::address_of(address) - in->start + in->starts[static_cast<std::uint32_t>(pe)]};
}

/// Calls f(memory), where no exception leaves the C interface.
template <class F>
inline auto translated(char const* function, F const& f) noexcept {
  try {
    return f(*here.memory);
  } catch (...) {
    fail_caught(function);
  }
}

/// Collective: notes memory that begins here, as large everywhere.
void add_region(void const* start, std::uint64_t bytes);
/// The program's variables; where sizes differ, they are not symmetric. Collective.
void add_variables();

// Collective: with the job.
void begin_teams();
void end_teams();
void end_heap();

}  // namespace sheaf_shmem
#pragma GCC visibility pop
