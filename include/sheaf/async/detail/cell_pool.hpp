// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace sheaf::detail {

/// Recycled memory for one location's futures and small migrating objects, in cells of a cache line. Not for other
/// threads. Freed with the pool, except slabs with a future that the program has kept: these are never freed.
class cell_pool {
 public:
  static constexpr std::size_t cell_bytes = 64;

  ~cell_pool();
  cell_pool& operator=(cell_pool&&) = delete;

  /// A cell's memory.
  void* take() {
    if (free_ == nullptr) [[unlikely]]
      add_slab();
    free_cell* const cell = free_;
    free_ = cell->next;
    return cell;
  }

  static void give_back(void* cell) noexcept {
    cell_pool& pool = *slab_of(cell).pool;
    pool.free_ = ::new (cell) free_cell{pool.free_};
  }

 private:
  static constexpr std::uint32_t cells_per_slab = 64;
  static constexpr std::size_t slab_bytes = cell_bytes * cells_per_slab;  // and its alignment

  struct free_cell {
    free_cell* next;
  };
  /// What stands in a slab's first cell.
  struct slab {
    cell_pool* pool;
    std::uint32_t idle = 0;  // unused cells, when the pool ends
  };

  static slab& slab_of(void const* cell) noexcept {
    return *reinterpret_cast<slab*>(reinterpret_cast<std::uintptr_t>(cell) & ~(slab_bytes - 1));
  }

  void add_slab();
  static void leave(slab& kept);

  free_cell* free_ = nullptr;
  std::vector<slab*> slabs_;
};

}  // namespace sheaf::detail
