// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <dmcs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#pragma GCC visibility push(hidden)
/// What travels between processes that use DMCS: the records of its handlers.
namespace sheaf_dmcs {

using argument = dmcs_arg_t;
using function = void (*)();

/// A remote service request. `token`: of the sender that waits for the receipt; 0: nobody does.
template <std::size_t N>
struct service_record {
  std::uint32_t function = 0;
  std::uint32_t token = 0;
  std::array<argument, N> values{};
};
template <>
struct service_record<0> {
  std::uint32_t function = 0;
  std::uint32_t token = 0;
};

/// Writes one, in stores of the words that copies of it read: these need not wait for stores then.
template <std::size_t N>
void write_service(std::byte* at, std::uint32_t of, std::uint32_t token, std::array<argument, N> const& values) {
  std::uint64_t const head = of | std::uint64_t{token} << 32U;
  std::memcpy(at, &head, sizeof head);
  for (std::size_t i = 0; i < N; ++i)
    std::memcpy(at + sizeof head + i * sizeof values[0], &values[i], sizeof values[0]);
}

inline constexpr std::size_t data_alignment = 16;

/// A put_op with its data behind it. If it is padded, there is room to align them where they are written: `front` bytes
/// are in front of them.
struct op_head {
  std::uint32_t function = 0;
  std::uint32_t token = 0;
  std::uint64_t total = 0;
  std::uint8_t front = 0;
  std::uint8_t padded = 0;  ///< 0: it is not
  std::uint8_t unused[6] = {};

  /// Bytes of the record.
  [[nodiscard]] std::uint64_t length() const {
    return (sizeof(op_head) + (padded != 0 ? data_alignment : 0) + total + 7) / 8 * 8;
  }
};
static_assert(sizeof(op_head) == 24);

/// A received one.
struct op_record {
  op_head head;
  std::byte const* data = nullptr;  ///< `total` bytes

  /// Throws decode_error where the bytes are none.
  static op_record read(std::byte const* at, std::byte const* end);
};

enum class operation : std::uint8_t { put, put_op, get, allocate, free };

/// The beginning of a record on memory, or of a put_op with data elsewhere. Behind it are the blocks there (at the
/// target), the blocks here (at the sender; if there are any, the data are read from them, or stored there), and the
/// data of a put that has none here.
struct data_head {
  std::uint64_t length = 0;    ///< bytes of the record
  std::uint64_t total = 0;     ///< bytes of the data, wherever they are
  std::uint32_t token = 0;     ///< of the sender that waits for its end, or receipt; 0: nobody does
  std::uint32_t function = 0;  ///< of put_op
  std::uint32_t there = 0;     ///< number of blocks
  std::uint32_t here = 0;
  operation kind{};
  std::uint8_t is_sync = 0;  ///< 1: the sender waits for the receipt, so a put_op is answered before its handler runs
  std::uint8_t unused[14] = {};
};
static_assert(sizeof(data_head) == 48);

/// The answer to a record with a token. Of a get without blocks here, `value` bytes of data follow.
struct answer_head {
  std::uint32_t token;
  std::uint32_t unused;
  std::uint64_t value;
};

/// A received record of any size, with its blocks; the data are `total` bytes, or null where they are at the sender.
struct data_record {
  data_head head;
  std::byte const* blocks = nullptr;  ///< unaligned
  std::byte const* data = nullptr;

  /// Throws decode_error where the bytes are none.
  static data_record read(std::byte const* at, std::byte const* end);

  [[nodiscard]] dmcs_block block(std::size_t i) const {
    dmcs_block one;
    std::memcpy(&one, blocks + i * sizeof one, sizeof one);
    return one;
  }
  [[nodiscard]] bool is_by_place() const { return head.here != 0; }
};

/// Bytes of blocks; they are less than 2^64.
inline std::uint64_t bytes_of(std::span<dmcs_block const> blocks) {
  std::uint64_t all = 0;
  for (dmcs_block const& one : blocks) all += one.bytes;
  return all;
}

/// Walks two lists of blocks of as many bytes: f(address in one, address in the other, bytes) for each common piece.
template <class One, class Other, class F>
void each_piece(std::size_t count, One const& one, std::size_t other_count, Other const& other, F const& f) {
  std::size_t i = 0, j = 0;
  dmcs_block a{}, b{};
  for (;;) {
    while (a.bytes == 0 && i < count) a = one(i++);
    while (b.bytes == 0 && j < other_count) b = other(j++);
    std::size_t const bytes = a.bytes < b.bytes ? a.bytes : b.bytes;
    if (bytes == 0) return;
    f(static_cast<std::byte*>(a.address), static_cast<std::byte*>(b.address), bytes);
    a = {static_cast<std::byte*>(a.address) + bytes, a.bytes - bytes};
    b = {static_cast<std::byte*>(b.address) + bytes, b.bytes - bytes};
  }
}

}  // namespace sheaf_dmcs
#pragma GCC visibility pop
