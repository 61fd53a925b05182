// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace sheaf::detail {

/// Recycled memory for the states of one location's futures: cells of one cache line each, which a number names, so
/// that a request carries the number as its token and the reply finds the state without a table between. A cell's
/// generation changes whenever it is taken, and is part of the token: an old token does not name the cell's next use.
/// Not for other threads. Memory is given back with the pool.
class cell_pool {
 public:
  static constexpr std::size_t cell_bytes = 64;
  static constexpr std::uint32_t index_bits = 24;

  cell_pool() = default;
  ~cell_pool();
  cell_pool(cell_pool const&) = delete;
  cell_pool& operator=(cell_pool const&) = delete;

  /// A cell's memory. Throws usage_error when 16,252,928 are in use.
  void* take() {
    if (free_ == nullptr) [[unlikely]]
      add_slab();
    free_cell* const cell = free_;
    free_ = cell->next;
    ++slab_of(cell).generations[place_of(cell)];
    return cell;
  }

  static void give_back(void* cell) noexcept {
    cell_pool& pool = *slab_of(cell).pool;
    pool.free_ = ::new (cell) free_cell{pool.free_};
  }

  /// Names the use of a cell that has been taken.
  static std::uint32_t token_of(void const* cell) noexcept {
    slab const& in = slab_of(cell);
    std::uint32_t const place = place_of(cell);
    return std::uint32_t{in.generations[place]} << index_bits | (in.first + place);
  }

  /// The cell whose last use the token names, or null. Whether that has ended the cell's content must tell: given back,
  /// it is as it was left but for the first pointer, and zero before its first use.
  [[nodiscard]] void* find(std::uint32_t token) const noexcept {
    std::uint32_t const index = token & ((1U << index_bits) - 1), place = index % cells_per_slab;
    if (index >= end_ || place < header_cells) return nullptr;
    slab* const in = slabs_[index / cells_per_slab];
    if (in->generations[place] != token >> index_bits) return nullptr;
    return reinterpret_cast<std::byte*>(in) + place * cell_bytes;
  }

 private:
  static constexpr std::uint32_t cells_per_slab = 64;
  static constexpr std::uint32_t header_cells = 2;
  static constexpr std::size_t slab_bytes = cell_bytes * cells_per_slab;  // and its alignment

  struct free_cell {
    free_cell* next;
  };
  /// What stands in a slab's first cells. Places are counted in cells from the slab's begin.
  struct slab {
    cell_pool* pool;
    std::uint32_t first;                       // index of place 0
    std::uint8_t generations[cells_per_slab];  // how often each was taken, modulo 256
  };
  static_assert(sizeof(slab) <= header_cells * cell_bytes);

  static slab& slab_of(void const* cell) noexcept {
    return *reinterpret_cast<slab*>(reinterpret_cast<std::uintptr_t>(cell) & ~(slab_bytes - 1));
  }
  static std::uint32_t place_of(void const* cell) noexcept {
    return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(cell) & (slab_bytes - 1)) / cell_bytes);
  }

  void add_slab();

  free_cell* free_ = nullptr;
  std::uint32_t end_ = 0;  // index behind the last slab's cells
  std::vector<slab*> slabs_;
};

}  // namespace sheaf::detail
