// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/open_calls.hpp"

#include <cstring>
#include <deque>
#include <limits>
#include <mutex>
#include <utility>

#include "sheaf/message/byte_reader.hpp"

namespace sheaf::detail {

reply_table::~reply_table() {
  byte_reader nothing({});
  for (slot const& s : slots_) {
    if (s.sink != nullptr) s.sink(s.where, reply_status::none, nothing);
  }
}

std::uint32_t reply_table::add(reply_sink sink, void* where) {
  std::uint32_t index = first_free_;
  if (index == index_mask) {
    index = static_cast<std::uint32_t>(slots_.size());
    if (index >= index_mask) {
      throw usage_error("sheaf: more than 16777215 blocking requests of one location await their replies");
    }
    slots_.emplace_back();
  } else {
    first_free_ = slots_[index].next_free;
  }
  slot& s = slots_[index];
  s.sink = sink;
  s.where = where;
  ++awaited_;
  return std::uint32_t{s.generation} << index_bits | index;
}

reply_table::taken reply_table::take(std::uint32_t token) {
  std::uint32_t const index = token & index_mask;
  if (index >= slots_.size()) return {};
  slot& s = slots_[index];
  if (s.sink == nullptr || s.generation != generation_of(token)) return {};
  taken const result{s.sink, s.where};
  s.sink = nullptr;
  ++s.generation;
  s.next_free = first_free_;
  first_free_ = index;
  --awaited_;
  return result;
}

/// What is left of a window, for the replies that are still under way.
struct reply_windows::orphaned {
  std::uint32_t window;
  reply_window_entry entry;
  std::string error;
  void* array;
  void (*destroy)(void*);
  orphaned* next;
};

reply_windows::~reply_windows() { bury_orphans(true); }

std::uint32_t reply_windows::add(reply_window_entry& entry) {
  bury_orphans(false);
  std::uint32_t window = 0;
  while (window < entries_.size() && entries_[window] != nullptr) ++window;
  if (window == most_windows) {
    throw usage_error("sheaf: a location has at most 1024 reply windows at a time; destroy one, or make one larger");
  }
  if (window == entries_.size()) entries_.push_back(nullptr);
  entries_[window] = &entry;
  return window;
}

void reply_windows::orphan(std::uint32_t window, void* array, void (*destroy)(void*)) {
  auto* const left = new orphaned{window, *entries_[window], {}, array, destroy, orphans_};
  left->entry.error = &left->error;
  entries_[window] = &left->entry;
  orphans_ = left;
}

/// Those that have got all their replies; or all.
void reply_windows::bury_orphans(bool all) {
  for (orphaned** at = &orphans_; *at != nullptr;) {
    orphaned* const each = *at;
    if (!all && each->entry.awaited() != 0) {
      at = &each->next;
      continue;
    }
    *at = each->next;
    entries_[each->window] = nullptr;
    each->destroy(each->array);
    delete each;
  }
}

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
  if (end_ > std::numeric_limits<std::uint32_t>::max() - slab_bytes) {
    throw usage_error("sheaf: more than 66 million futures of one location; get() some of them first");
  }
  slabs_.reserve(slabs_.size() + 1);
  void* const memory = std::memset(::operator new (slab_bytes, std::align_val_t{slab_bytes}), 0, slab_bytes);
  auto* const s = ::new (memory) slab{};
  s->pool = this;
  s->token_less_address = end_ - static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(s));
  slabs_.push_back(s);
  end_ += slab_bytes;
  for (std::uint32_t place = cells_per_slab; --place > 0;) {
    free_ = ::new (reinterpret_cast<std::byte*>(s) + place * cell_bytes) free_cell{free_};
  }
}

}  // namespace sheaf::detail
