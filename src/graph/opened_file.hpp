// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graph/mapped_file.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

/// What is wrong at a place of a file.
struct file_fault {
  std::uint64_t position = ~std::uint64_t{0};  ///< in bytes; the largest: nothing is wrong
  std::string text;                            ///< as it follows the file's name: ":LINE: …" or ": …"

  /// Of a line, from 1.
  static file_fault at_line(std::uint64_t position, std::uint64_t line, std::string const& what) {
    std::string text = ":";
    text.append(std::to_string(line)).append(": ").append(what);
    return {position, std::move(text)};
  }
  [[nodiscard]] bool is_there() const { return position != ~std::uint64_t{0}; }
};

/// A file that all members of a team read.
class opened_file {
 public:
  /// Collective. Throws graph_file_error on all members where one cannot read it, or sees another size.
  opened_file(team const& members, std::string const& path);

  [[nodiscard]] team const& members() const { return team_; }
  [[nodiscard]] std::string const& path() const { return path_; }
  [[nodiscard]] std::string_view bytes() const { return file_->text(); }

  /// Collective. The first fault of all members, thrown by all.
  void agree(file_fault const& own) const;
  /// Called by all with one text.
  [[noreturn]] void fail(std::string const& what) const;

 private:
  team const& team_;
  std::string const& path_;
  std::optional<mapped_file> file_;
};

}  // namespace sheaf::detail
