// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sheaf {

class byte_reader;

namespace detail {

/// What a reply says first: the handler returned a value, or it threw and a text follows. `none` is in no reply: the
/// location ends without one.
enum class reply_status : std::uint8_t { value = 0, exception = 1, none = 2 };

/// Where one reply goes: called once with the bytes after the status. Takes exactly its own bytes from the reader,
/// since replies are packed one behind the other.
using reply_sink = void (*)(void* where, reply_status status, byte_reader& bytes);

/// Replies that this location awaits, by token. A token that is not awaited is recognised (its generation does not
/// match).
class reply_table {
 public:
  static constexpr std::uint32_t index_bits = 24;

  reply_table() = default;
  reply_table(reply_table const&) = delete;
  reply_table& operator=(reply_table const&) = delete;
  /// Tells those who still await one that there will be none.
  ~reply_table();

  std::uint32_t add(reply_sink sink, void* where);

  struct taken {
    reply_sink sink = nullptr;  ///< null: the token is not awaited
    void* where = nullptr;
  };
  taken take(std::uint32_t token);

  [[nodiscard]] std::size_t awaited() const { return awaited_; }

 private:
  static constexpr std::uint32_t index_mask = (1U << index_bits) - 1;
  static constexpr std::uint8_t generation_of(std::uint32_t token) {
    return static_cast<std::uint8_t>(token >> index_bits & 0xffU);
  }

  struct slot {
    reply_sink sink = nullptr;
    void* where = nullptr;
    std::uint8_t generation = 0;
    std::uint32_t next_free = 0;
  };
  std::vector<slot> slots_;
  std::uint32_t first_free_ = index_mask;  // none
  std::size_t awaited_ = 0;
};

}  // namespace detail
}  // namespace sheaf
