// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/async/detail/cell_pool.hpp"

#include <deque>
#include <mutex>
#include <utility>

namespace sheaf::detail {

cell_pool::~cell_pool() {
  for (free_cell const* cell = free_; cell != nullptr; cell = cell->next) ++slab_of(cell).idle;
  for (slab* const s : slabs_) {
    if (s->idle + 1 == cells_per_slab) {
      ::operator delete (s, std::align_val_t{slab_bytes});
    } else {
      leave(*s);
    }
  }
}

/// Its cells find a pool of their own when they are given back.
void cell_pool::leave(slab& kept) {
  static std::mutex several_jobs;
  static auto& all = *new std::deque<std::pair<slab*, cell_pool>>;
  std::lock_guard const one(several_jobs);
  auto& [memory, pool] = all.emplace_back();
  memory = &kept;
  kept.pool = &pool;
}

void cell_pool::add_slab() {
  if (slabs_.size() == slabs_.capacity()) slabs_.reserve(2 * slabs_.size() + 1);
  auto* const s = ::new (::operator new (slab_bytes, std::align_val_t{slab_bytes})) slab{this};
  slabs_.push_back(s);
  for (std::uint32_t place = cells_per_slab; --place > 0;) {
    free_ = ::new (reinterpret_cast<std::byte*>(s) + place * cell_bytes) free_cell{free_};
  }
}

}  // namespace sheaf::detail
