// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

namespace sheaf::detail {

/// Goes through lines of text, from word to word. Blanks, commas and semicolons stand between words.
class line_cursor {
 public:
  explicit line_cursor(std::string_view text) : at_(text.data()), end_(at_ + text.size()), line_(at_) {}

  /// There is no further line.
  [[nodiscard]] bool is_done() const { return at_ == end_; }
  /// This line does, of which no word has been taken.
  [[nodiscard]] bool starts_with(char c) const { return at_ != end_ && *at_ == c; }
  /// Goes over blanks. The next character, '\n' at the end of the line.
  char peek() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    return at_ == end_ ? '\n' : *at_;
  }
  /// False: the next word is no number of 0…2^64 − 1; it stays the next.
  bool number(std::uint64_t& to) {
    static_cast<void>(peek());
    char const* digit = at_;
    std::uint64_t found = 0;
    for (; digit != end_ && is_digit(*digit); ++digit) found = found * 10 + static_cast<std::uint64_t>(*digit - '0');
    if (digit == at_ || (digit != end_ && *digit != '\n' && !is_blank(*digit))) return false;
    constexpr int always_fit = 19;
    if (digit - at_ > always_fit && std::from_chars(at_, digit, found).ec != std::errc{}) return false;
    to = found;
    at_ = digit;
    return true;
  }
  /// The next word; empty at the end of the line.
  std::string_view word() {
    static_cast<void>(peek());
    char const* const from = at_;
    while (at_ != end_ && *at_ != '\n' && !is_blank(*at_)) ++at_;
    return {from, static_cast<std::size_t>(at_ - from)};
  }
  void next_line() {
    if (at_ != end_ && *at_ != '\n') at_ = line_end(at_);
    if (at_ != end_) ++at_;
    line_ = at_;
  }
  /// The whole line, of which words have been taken.
  [[nodiscard]] std::string_view line() const { return {line_, static_cast<std::size_t>(line_end(line_) - line_)}; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  [[nodiscard]] char const* line_end(char const* from) const {
    void const* const found = from == end_ ? nullptr : std::memchr(from, '\n', static_cast<std::size_t>(end_ - from));
    return found == nullptr ? end_ : static_cast<char const*>(found);
  }

  char const* at_;
  char const* const end_;
  char const* line_;
};

/// The start of the line in which, or at whose start, the byte is; the end of the text if no line starts there or
/// later.
inline std::uint64_t line_from(std::string_view text, std::uint64_t byte) {
  if (byte == 0 || byte >= text.size()) return std::min<std::uint64_t>(byte, text.size());
  std::size_t const before = text.find('\n', byte - 1);
  return before == std::string_view::npos ? text.size() : before + 1;
}

/// The lines that start in the part `rank` of `members` equal ones of the text from `from` on, where a line starts.
inline std::string_view lines_of(std::string_view text, std::uint64_t from, std::uint32_t rank, std::uint32_t members) {
  std::uint64_t const share = (text.size() - from) / members;
  std::uint64_t const begin = line_from(text, from + rank * share);
  std::uint64_t const end = rank + 1 == members ? text.size() : line_from(text, from + (rank + 1) * share);
  return text.substr(begin, end - begin);
}

/// What was found, for the text of an error.
inline std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.ends_with('\r')) text.remove_suffix(1);
  std::string all = "'";
  for (char const c : text.substr(0, most)) all += c >= ' ' && c <= '~' ? c : '?';
  return all + (text.size() > most ? "...'" : "'");
}

}  // namespace sheaf::detail
