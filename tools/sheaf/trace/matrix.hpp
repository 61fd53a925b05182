// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "sheaf/trace/traced_job.hpp"

namespace sheaf::tool {

/// What a communication matrix counts. Requests: of the source, executed by the destination. The others as sent, of
/// both classes of traffic.
enum class counted : std::uint8_t { requests, bytes, entries };

char const* word_of(counted what);

/// How much went from whom (row) to whom (column). Of a large job a cell stands for `group` locations each way, so that
/// there are at most `most` rows.
class communication_matrix {
 public:
  static constexpr std::uint64_t most_rows = 128;

  communication_matrix(traced_job const& job, counted what, std::uint64_t most = most_rows);

  [[nodiscard]] counted what() const { return what_; }
  [[nodiscard]] std::uint64_t locations() const { return locations_; }
  [[nodiscard]] std::uint64_t group() const { return group_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t at(std::size_t from, std::size_t to) const { return cells_[from * rows_ + to]; }
  [[nodiscard]] std::uint64_t from(std::size_t row) const;
  [[nodiscard]] std::uint64_t to(std::size_t column) const;
  [[nodiscard]] std::uint64_t total() const;
  [[nodiscard]] std::uint64_t largest() const;
  /// Of those that are not 0; 0 where there is none.
  [[nodiscard]] std::uint64_t smallest() const;
  /// "3", or "24 to 31".
  [[nodiscard]] std::string label(std::size_t row) const;

 private:
  counted what_;
  std::uint64_t locations_;
  std::uint64_t group_;
  std::size_t rows_;
  std::vector<std::uint64_t> cells_;
};

/// The matrix as a picture: rows send, columns receive, colour by a logarithmic scale, sums at the edges.
void write_svg(communication_matrix const& m, std::string const& title, std::ostream& to);

/// The matrix for a terminal: numbers up to 16 rows, above that a character per cell.
void write_text(communication_matrix const& m, std::string const& title, std::ostream& to);

}  // namespace sheaf::tool
