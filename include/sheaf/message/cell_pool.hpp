// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace sheaf::detail {

/// Recycled memory for the states of one location's futures: cells of one cache line each, which a number names, so
/// that a request carries the number as its token and the reply finds the state without a table between. Who awaits a
/// reply keeps the cell until that has come. Not for other threads. Memory is given back with the pool, but for slabs
/// of which a cell is in use then: the program has kept a future, and these stay for ever.
class cell_pool {
 public:
  static constexpr std::size_t cell_bytes = 64;
  static constexpr std::uint32_t most_cells = 1U << 24;

  cell_pool() = default;
  ~cell_pool();
  cell_pool(cell_pool const&) = delete;
  cell_pool& operator=(cell_pool const&) = delete;

  /// A cell's memory. Throws usage_error when 16,515,072 are in use.
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

  /// Names a cell that has been taken.
  static std::uint32_t token_of(void const* cell) noexcept {
    auto const place = (reinterpret_cast<std::uintptr_t>(cell) & (slab_bytes - 1)) / cell_bytes;
    return slab_of(cell).first + static_cast<std::uint32_t>(place);
  }

  /// The cell that the token names, or null. Whether it is in use its content must tell: given back, it is as it was
  /// left but for the first pointer; what has never been taken is zero but for the first two.
  [[nodiscard]] void* find(std::uint32_t token) const noexcept {
    if (token >= end_) return nullptr;
    return reinterpret_cast<std::byte*>(slabs_[token / cells_per_slab]) + token % cells_per_slab * cell_bytes;
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
    std::uint32_t first;     // token of that cell
    std::uint32_t idle = 0;  // cells that are not in use, at the end
  };
  static_assert(sizeof(slab) <= 2 * sizeof(void*));

  static slab& slab_of(void const* cell) noexcept {
    return *reinterpret_cast<slab*>(reinterpret_cast<std::uintptr_t>(cell) & ~(slab_bytes - 1));
  }

  void add_slab();
  static void leave(slab& kept);

  free_cell* free_ = nullptr;
  std::uint32_t end_ = 0;  // index behind the last slab's cells
  std::vector<slab*> slabs_;
};

}  // namespace sheaf::detail
