// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/cell_pool.hpp"

#include <cstring>
#include <new>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

cell_pool::~cell_pool() {
  for (slab* const s : slabs_) ::operator delete (s, std::align_val_t{slab_bytes});
}

void cell_pool::add_slab() {
  if (end_ == most_cells) {
    throw usage_error("sheaf: more than 16 million futures of one location; get() some of them first");
  }
  slabs_.reserve(slabs_.size() + 1);
  void* const memory = std::memset(::operator new (slab_bytes, std::align_val_t{slab_bytes}), 0, slab_bytes);
  auto* const s = ::new (memory) slab{};
  s->pool = this;
  s->first = end_;
  slabs_.push_back(s);
  end_ += cells_per_slab;
  for (std::uint32_t place = cells_per_slab; --place > 0;) {
    free_ = ::new (reinterpret_cast<std::byte*>(s) + place * cell_bytes) free_cell{free_};
  }
}

}  // namespace sheaf::detail
