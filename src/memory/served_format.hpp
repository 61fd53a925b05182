// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "memory/paired_rows.hpp"
#include "sheaf/memory/detail/elements.hpp"
#include "sheaf/memory/detail/strided.hpp"

/// What one location asks another one's process to do with its memory, and the answers. A message of the side wire is
/// one order or several, end to end: a head, its levels, and the data of puts, sums and answers. docs/wire-format.md.
namespace sheaf::detail {

enum class served : std::uint8_t { put, add, get, change, allocate, deallocate, nothing, answer };

struct served_head {
  served what = served::nothing;
  std::uint8_t kind = 0;     ///< an element_kind or change_kind
  std::uint8_t levels = 0;   ///< behind the head: a served_level each
  std::uint8_t answers = 0;  ///< whether an answer is wanted
  std::uint8_t scaled = 0;   ///< a sum: by what the operands are
  std::uint8_t unused[3] = {};
  std::uint32_t from = 0;  ///< location
  std::uint32_t to = 0;
  std::uint32_t slot = 0;       ///< the asker's, for the answer
  std::uint64_t credit = 0;     ///< bytes of the asker's window that the answer gives back
  std::uint64_t address = 0;    ///< a part of memory: the first row; an answer: of what was allocated, or the old word
  std::uint64_t row = 0;        ///< bytes of a row; of a word; of memory to be allocated
  std::uint64_t offset = 0;     ///< of the bytes of that part that are meant, in their order
  std::uint64_t bytes = 0;      ///< how many
  std::byte operands[16] = {};  ///< the scale; the operand and what is expected
};

struct served_level {
  std::uint64_t count = 0;
  std::int64_t step = 0;
};

/// Bytes of data behind the levels.
[[nodiscard]] constexpr std::uint64_t data_bytes(served_head const& h) noexcept {
  bool const has = h.what == served::put || h.what == served::add || h.what == served::answer;
  return has ? h.bytes : 0;
}

/// One order of a message, checked: lengths fit, and what it says of shapes and kinds is possible.
struct served_order {
  served_head head;
  std::size_t counts[paired_rows::most_levels];
  std::ptrdiff_t steps[paired_rows::most_levels];
  std::span<std::byte const> data;  ///< none where they are in their place already
  bool placed = false;

  [[nodiscard]] strided part() const noexcept {
    return {reinterpret_cast<std::byte*>(head.address), head.row, std::span(counts).first(head.levels),
            std::span(steps).first(head.levels)};
  }
};

/// Takes the first order off the message. `placed`: its data are in their place, and not in the message. False: it is
/// damaged.
[[nodiscard]] bool read_order(std::span<std::byte const>& message, served_order& to, bool placed = false) noexcept;

/// Appends a head and the levels of a part, which come with it, with those that lie end to end as one.
void write_order(std::vector<std::byte>& to, served_head head, const_strided const& part);

}  // namespace sheaf::detail
