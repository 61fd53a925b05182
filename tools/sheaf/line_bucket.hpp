// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sheaf/line_arena.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/sheaf.hpp"

namespace sheaf::tool {

/// A line on its way: its bytes are copied into the buffer when it is sent, and once more into the arena that takes it.
/// On arrival it points into the buffer, so a method may use it only until it returns or waits.
struct line_view {
  std::string_view text;
};

}  // namespace sheaf::tool

template <>
struct sheaf::codec<sheaf::tool::line_view> {
  static std::size_t size(tool::line_view line) { return head(line) + line.text.size(); }
  static void encode(byte_writer& to, tool::line_view line) {
    if (line.text.size() < long_line) {
      to.value(static_cast<std::uint16_t>(line.text.size()));
    } else {
      to.value(long_line);
      to.value(std::uint64_t{line.text.size()});
    }
    to.bytes(line.text.data(), line.text.size());
  }
  static tool::line_view decode(byte_reader& from) {
    std::size_t length = from.value<std::uint16_t>();
    if (length == long_line) length = static_cast<std::size_t>(from.value<std::uint64_t>());
    return {std::string_view(reinterpret_cast<char const*>(from.take(length)), length)};
  }

 private:
  static constexpr std::uint16_t long_line = 0xffff;
  static std::size_t head(tool::line_view line) { return line.text.size() < long_line ? 2 : 10; }
};

namespace sheaf::tool {

/// Where one location gathers the lines of its part of the result.
class line_bucket : public distributed<line_bucket> {
 public:
  line_bucket(team const& on, line_order order) : distributed(on), arena_(order) {}

  void take(line_view line) { arena_.append(line.text); }
  void take_placed(line_view line, std::uint64_t position) { arena_.append(line.text, position); }

  line_arena& arena() { return arena_; }

  /// The sorted lines that are to be written.
  [[nodiscard]] std::span<line_ref const> result() const { return arena_.lines().subspan(taken_); }
  void drop_first() { ++taken_; }

  /// About `bytes` of the result as text, from where the call before ended; empty at the end.
  std::string next_block(std::size_t bytes) {
    std::string block;
    for (auto const lines = arena_.lines(); taken_ < lines.size() && block.size() < bytes; ++taken_) {
      block += lines[taken_].view();
      block += '\n';
    }
    return block;
  }

 private:
  std::size_t taken_ = 0;
  line_arena arena_;
};

}  // namespace sheaf::tool
