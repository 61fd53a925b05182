// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace sheaf::detail {

/// What is wrong at a place of a file.
struct file_fault {
  std::uint64_t position = ~std::uint64_t{0};  ///< in bytes; the largest: nothing is wrong
  std::string what;

  [[nodiscard]] bool is_there() const { return position != ~std::uint64_t{0}; }
};

/// Takes words from a line, from left to right. Blanks, commas and semicolons stand between them.
class word_reader {
 public:
  explicit word_reader(std::string_view line) : left_(line) {}

  /// The next word; empty at the end of the line.
  std::string_view word() {
    skip();
    std::size_t end = 0;
    while (end < left_.size() && !is_blank(left_[end])) ++end;
    std::string_view const found = left_.substr(0, end);
    left_.remove_prefix(end);
    return found;
  }
  /// False: the next word is no number of 0…2^64 − 1.
  bool number(std::uint64_t& to) {
    skip();
    auto const [at, wrong] = std::from_chars(left_.data(), left_.data() + left_.size(), to);
    if (wrong != std::errc{} || (at != left_.data() + left_.size() && !is_blank(*at))) return false;
    left_.remove_prefix(static_cast<std::size_t>(at - left_.data()));
    return true;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }
  void skip() {
    std::size_t blanks = 0;
    while (blanks < left_.size() && is_blank(left_[blanks])) ++blanks;
    left_.remove_prefix(blanks);
  }

  std::string_view left_;
};

/// The start of the line in which, or at whose start, the byte is; the end of the text if no line starts there or
/// later.
inline std::uint64_t line_from(std::string_view text, std::uint64_t byte) {
  if (byte == 0 || byte >= text.size()) return std::min<std::uint64_t>(byte, text.size());
  std::size_t const before = text.find('\n', byte - 1);
  return before == std::string_view::npos ? text.size() : before + 1;
}

/// Calls `use(line, its position)` for each line that starts in the part `rank` of `members` equal ones of the text,
/// from `from` on, until it returns false.
template <class Use>
void for_each_line(std::string_view text, std::uint64_t from, std::uint32_t rank, std::uint32_t members, Use use) {
  std::uint64_t const bytes = text.size() - from, share = bytes / members;
  std::uint64_t at = line_from(text, rank == 0 ? from : from + rank * share);
  std::uint64_t const end = rank + 1 == members ? text.size() : line_from(text, from + (rank + 1) * share);
  while (at < end) {
    std::uint64_t const stop = std::min<std::uint64_t>(text.find('\n', at), text.size());
    if (!use(text.substr(at, stop - at), at)) return;
    at = stop + 1;
  }
}

}  // namespace sheaf::detail
