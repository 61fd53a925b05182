// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "memory/kernels.hpp"
#include "memory/paired_rows.hpp"
#include "sheaf/base/location_id.hpp"
#include "sheaf/memory/detail/one_sided.hpp"

/// Memory of another process of this host that is not shared: the system copies there and back (process_vm_readv(2)),
/// whatever that process does. Sums and words are read, changed and written inside the guards of its memory, which
/// everybody takes there for memory that is not shared.
namespace sheaf::detail {

class other_process {
 public:
  /// `guards`: those of that process.
  other_process(pid_t id, location_id where, memory_guards& guards) noexcept
      : id_(id), where_(where), guards_(guards) {}

  /// Whether the system lets this process do that; it says no where processes may not trace each other.
  [[nodiscard]] bool is_open(void const* there) const noexcept;

  // Throw error where an address is not that process's, or only for reading.
  void write(paired_rows const& to_there) const;
  void read(paired_rows const& from_there) const;
  void add(paired_rows const& to_there, element_kind of, void const* scale, guard_wait const& wait) const;
  std::uint64_t change(std::byte* at, std::size_t bytes, change_kind how, std::uint64_t operand, std::uint64_t expected,
                       guard_wait const& wait) const;

 private:
  enum class way : std::uint8_t { there, here };
  void copy(way to, std::byte* there, std::byte* here, std::size_t bytes) const;
  void copy_all(way to, paired_rows const& rows) const;

  pid_t const id_;
  location_id const where_;
  memory_guards& guards_;
};

}  // namespace sheaf::detail
