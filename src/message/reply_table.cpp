// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/reply_table.hpp"

#include <cassert>

#include "sheaf/base/error.hpp"
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

}  // namespace sheaf::detail
