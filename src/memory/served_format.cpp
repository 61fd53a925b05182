// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/served_format.hpp"

#include <limits>

#include "sheaf/transport/side_wire.hpp"

namespace sheaf::detail {
namespace {

template <class T>
T take(std::span<std::byte const>& from) noexcept {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from = from.subspan(sizeof value);
  return value;
}

bool multiplied(std::uint64_t& by, std::uint64_t factor) noexcept { return !__builtin_mul_overflow(by, factor, &by); }

bool is_possible(served_order const& o) noexcept {
  served_head const& h = o.head;
  std::uint64_t all = h.row, end = 0;
  for (std::size_t i = 0; i < h.levels; ++i) {
    if (o.counts[i] == 0 || !multiplied(all, o.counts[i])) return false;
  }
  if (__builtin_add_overflow(h.offset, h.bytes, &end)) return false;
  bool const has_part = h.what == served::put || h.what == served::add || h.what == served::get;
  if (has_part && (h.row == 0 || end > all)) return false;
  if (h.what == served::get && h.bytes > side_wire::most_bytes - sizeof h) return false;
  if (h.what == served::add) {
    if (h.kind > static_cast<std::uint8_t>(element_kind::complex128)) return false;
    std::size_t const element = bytes_of(static_cast<element_kind>(h.kind));
    return h.row % element == 0 && h.offset % element == 0 && h.bytes % element == 0;
  }
  if (h.what != served::change) return true;
  bool const word = h.row == sizeof(std::uint32_t) || h.row == sizeof(std::uint64_t);
  return word && h.address % h.row == 0 && h.kind <= static_cast<std::uint8_t>(change_kind::store);
}

}  // namespace

bool read_order(std::span<std::byte const>& message, served_order& to, bool placed) noexcept {
  if (message.size() < sizeof(served_head)) return false;
  to.head = take<served_head>(message);
  served_head const& h = to.head;
  if (h.what > served::answer || h.levels >= paired_rows::most_levels) return false;
  if (message.size() < h.levels * sizeof(served_level)) return false;
  for (std::size_t i = 0; i < h.levels; ++i) {
    auto const level = take<served_level>(message);
    to.counts[i] = level.count;
    to.steps[i] = level.step;
  }
  to.placed = placed;
  std::size_t const data = placed ? 0 : data_bytes(h);
  if (message.size() < data) return false;
  to.data = message.first(data);
  message = message.subspan(data);
  return is_possible(to);
}

void write_order(std::vector<std::byte>& to, served_head head, const_strided const& part) {
  served_level levels[paired_rows::most_levels];
  head.address = reinterpret_cast<std::uintptr_t>(part.first);
  head.row = part.row;
  head.levels = 0;
  std::size_t last = part.row;  // what lies end to end with a level that begins here
  for (std::size_t i = 0; i < part.counts.size(); ++i) {
    if (part.counts[i] == 1) continue;
    if (head.levels == 0 && part.steps[i] == static_cast<std::ptrdiff_t>(last)) {
      last = head.row *= part.counts[i];
    } else {
      levels[head.levels++] = {part.counts[i], part.steps[i]};
    }
  }
  auto const append = [&to](void const* from, std::size_t bytes) {
    auto const* const first = static_cast<std::byte const*>(from);
    to.insert(to.end(), first, first + bytes);
  };
  append(&head, sizeof head);
  append(levels, head.levels * sizeof(served_level));
}

}  // namespace sheaf::detail
