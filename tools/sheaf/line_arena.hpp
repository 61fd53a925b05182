// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "sheaf/line_order.hpp"

namespace sheaf::tool {

/// A line in a `line_arena`, in sixteen bytes laid out as the pairs that the sort kernel knows: where it is (48 bits
/// of address, 16 bits of size) and the key it is sorted by. Valid as long as its arena. Sizes from 65535 on stand in
/// the eight bytes before the line; the position of an arena that keeps positions stands before that.
struct alignas(16) line_ref {
  static constexpr std::uint64_t long_size = 0xffff;
  static constexpr int address_bits = 48;

  std::uint64_t place = 0;
  std::uint64_t key = 0;

  char const* data() const noexcept {
    return reinterpret_cast<char const*>(place & ((std::uint64_t{1} << address_bits) - 1));
  }
  bool is_long() const noexcept { return place >> address_bits == long_size; }
  std::size_t size() const noexcept { return is_long() ? header(1) : static_cast<std::size_t>(place >> address_bits); }
  std::string_view view() const noexcept { return {data(), size()}; }
  /// Only of an arena whose order needs positions.
  std::uint64_t position() const noexcept { return header(is_long() ? 2 : 1); }

 private:
  std::uint64_t header(std::size_t words_before) const noexcept {
    std::uint64_t word;
    std::memcpy(&word, data() - 8 * words_before, sizeof word);
    return word;
  }
};

/// Lines received by one location: bytes in chunks that never move, and one keyed reference per line. Not copied, not
/// shared between threads. Memory: the bytes, sixteen per line (while growing, the system may hold the references
/// twice), and up to one unfinished chunk. After each line at least eight bytes are readable.
class line_arena {
 public:
  explicit line_arena(line_order order) noexcept : order_(order) {}
  ~line_arena();
  line_arena(line_arena const&) = delete;
  line_arena& operator=(line_arena const&) = delete;

  /// Copies `line` (without its newline, at most 2^48 bytes) into the arena. `position` is its place in the whole
  /// input, used only where `order.needs_position()`. Throws std::bad_alloc.
  void append(std::string_view line, std::uint64_t position = 0) {
    std::size_t const header = header_size(line.size());
    if (line.size() + header + padding > room_) add_chunk(line.size() + header + padding);
    if (count_ == capacity_) grow_refs();
    char* const start = next_ + header;
    if (header != 0) write_header(start, line.size(), position);
    std::memcpy(start, line.data(), line.size());
    next_ = start + line.size();
    room_ -= header + line.size();
    bytes_ += line.size() + 1;
    refs_[count_++] = {place_of(start, line.size()), order_.numeric ? numeric_key(line) : key_of(start, line.size())};
  }

  /// Number of lines appended or, after `sort`, kept.
  std::size_t size() const noexcept { return count_; }
  /// Bytes that the lines take in a text file, newlines included.
  std::uint64_t text_bytes() const noexcept { return bytes_; }
  line_order order() const noexcept { return order_; }
  std::span<line_ref const> lines() const noexcept { return {refs_, count_}; }

  /// Orders the lines, and with `unique` drops all but the first of equals. Then nothing more may be appended.
  void sort();

 private:
  static constexpr std::size_t padding = 8;

  std::size_t header_size(std::size_t line_size) const noexcept {
    return (line_size >= line_ref::long_size ? 8U : 0U) + (order_.needs_position() ? 8U : 0U);
  }
  static std::uint64_t place_of(char const* start, std::size_t size) noexcept {
    std::uint64_t const short_size = size < line_ref::long_size ? size : line_ref::long_size;
    return reinterpret_cast<std::uint64_t>(start) | short_size << line_ref::address_bits;
  }
  static std::uint64_t key_of(char const* start, std::size_t size) noexcept;
  void write_header(char* start, std::size_t size, std::uint64_t position) const noexcept;
  void add_chunk(std::size_t at_least);
  void grow_refs();

  struct chunk {
    void* start;
    std::size_t size;
  };

  line_order order_;
  char* next_ = nullptr;
  std::size_t room_ = 0;
  line_ref* refs_ = nullptr;
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<chunk> chunks_;
};

/// The eight bytes of a line from `depth` on, big-endian, filled with zeros behind its end.
/// Reads up to eight bytes behind the end: `data` must lie in an arena.
inline std::uint64_t arena_key(char const* data, std::size_t size, std::size_t depth) noexcept {
  if (size <= depth) return 0;
  std::uint64_t word;
  std::memcpy(&word, data + depth, sizeof word);
  word = __builtin_bswap64(word);
  std::size_t const rest = size - depth;
  return rest >= 8 ? word : word & ~(~std::uint64_t{0} >> (8 * rest));
}

inline std::uint64_t line_arena::key_of(char const* start, std::size_t size) noexcept {
  return arena_key(start, size, 0);
}

}  // namespace sheaf::tool
