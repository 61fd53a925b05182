// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <functional>

#include "graph/text_form.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

/// A coordinate matrix (math.nist.gov/MatrixMarket/formats.html): a banner, comments, a line of sizes, and a line for
/// each entry.
class matrix final : public text_form {
 public:
  using text_form::text_form;

  std::optional<std::size_t> head(std::string_view text, bool is_all) override {
    line_cursor at(text);
    if (!is_all && text.find('\n') == std::string_view::npos) return {};
    if (!banner(at)) return 0;
    for (at.next_line(); !at.is_done(); at.next_line()) {
      bool const has_end = at.line().data() + at.line().size() != text.data() + text.size();
      if (!has_end && !is_all) return {};
      if (at.peek() == '\n' || at.peek() == '%') continue;
      if (!sizes(at)) return 0;
      at.next_line();
      return static_cast<std::size_t>(at.line().data() - text.data());
    }
    if (!is_all) return {};
    fail(at, "expected a line of rows, columns and entries, found the end");
    return 0;
  }

  void body(std::string_view lines, std::uint64_t /*row*/) override {
    for (line_cursor at(lines); !at.is_done(); at.next_line()) {
      if (!entry(at)) return;
    }
  }

  std::string check(team const& members) override {
    std::uint64_t const all = all_reduce(members, entries_, std::plus<>{});
    if (all == wanted_) return {};
    return ": its head promises " + std::to_string(wanted_) + " entries, but there are " + std::to_string(all);
  }

 private:
  bool banner(line_cursor const& at) {
    std::string lower(at.line());
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    line_cursor words(lower);
    bool const is_one = words.word() == "%%matrixmarket" && words.word() == "matrix" && words.word() == "coordinate";
    std::string_view const field = words.word(), symmetry = words.word();
    is_pattern_ = field == "pattern";
    facts_.directed = symmetry != "symmetric";
    bool const is_known = (is_pattern_ || field == "real" || field == "integer" || field == "double") &&
                          (symmetry == "general" || symmetry == "symmetric");
    if (is_one && is_known) return true;
    return fail(at,
                "expected '%%MatrixMarket matrix coordinate', then pattern, integer or real, then general or "
                "symmetric; found " +
                    shown(at.line()));
  }
  bool sizes(line_cursor& at) {
    std::uint64_t rows = 0, columns = 0;
    if (!at.number(rows) || !at.number(columns) || !at.number(wanted_))
      return fail(at, "expected numbers of rows, columns and entries, found " + shown(at.line()));
    if (rows != columns)
      return fail(at, "a graph is a square matrix, but this one has " + std::to_string(rows) + " rows and " +
                          std::to_string(columns) + " columns");
    facts_.vertices = rows;
    return true;
  }
  bool entry(line_cursor& at) {
    char const first = at.peek();
    if (first == '\n' || first == '%') return true;
    std::uint64_t row = 0, column = 0;
    if (!at.number(row) || !at.number(column))
      return fail(at, "expected a row and a column, found " + shown(at.line()));
    std::uint64_t const most = *facts_.vertices;
    if (row - 1 >= most || column - 1 >= most)
      return fail(at, "entry (" + std::to_string(row) + ", " + std::to_string(column) + ") is outside of 1 to " +
                          std::to_string(most));
    std::string_view const value = at.word();
    if (value.empty() && !is_pattern_) return fail(at, "the value is missing in " + shown(at.line()));
    if (is_pattern_ && !value.empty()) return fail(at, "a pattern has no values, found " + shown(value));
    ++entries_;
    return take(at, row - 1, column - 1, value);
  }

  std::uint64_t entries_ = 0, wanted_ = 0;
  bool is_pattern_ = false;
};

}  // namespace

std::unique_ptr<text_form> matrix_form(edge_sink to) { return std::make_unique<matrix>(to); }

}  // namespace sheaf::detail
