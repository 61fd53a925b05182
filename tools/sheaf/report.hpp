// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::tool {

/// The text as a JSON string, quotes included; what is no UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

/// What a command found out, to be printed for people or as JSON.
class report {
 public:
  /// A text, or a number that JSON shows as one.
  struct value {
    value(std::string words) : text(std::move(words)) {}  // NOLINT: as a text stands for itself
    value(char const* words) : text(words) {}             // NOLINT
    template <class Number>
    requires std::is_arithmetic_v<Number> value(Number n) : text(spelt(n)), number(true) {}  // NOLINT

    std::string text;
    bool number = false;
  };
  using row = std::vector<std::pair<std::string, value>>;

  /// One object, shown as a line for each key.
  void add(std::string const& section, row const& one);
  /// A list of objects with the same keys, shown as a table.
  void add_table(std::string const& section, std::vector<row> const& rows);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;

 private:
  struct part {
    std::string name;
    bool table;
    std::vector<row> rows;
  };

  static std::string spelt(double number);
  template <class Number>
  static std::string spelt(Number number) {
    if constexpr (std::is_integral_v<Number>) {
      return std::to_string(number);
    } else {
      return spelt(static_cast<double>(number));
    }
  }

  std::vector<part> parts_;
};

}  // namespace sheaf::tool
