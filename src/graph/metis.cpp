// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <functional>

#include "graph/both_ways.hpp"
#include "graph/text_form.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

/// The graph files of METIS (its manual, 4.1.1): a line of sizes, then a line for each vertex: its size and weights,
/// then its neighbours, with weights of edges. Lines that begin with % are comments, and do not count.
class metis final : public text_form {
 public:
  using text_form::text_form;

  std::optional<std::size_t> head(std::string_view text, bool is_all) override {
    for (line_cursor at(text); !at.is_done(); at.next_line()) {
      bool const has_end = at.line().data() + at.line().size() != text.data() + text.size();
      if (!has_end && !is_all) return {};
      if (at.starts_with('%')) continue;
      if (!sizes(at)) return 0;
      at.next_line();
      return static_cast<std::size_t>(at.line().data() - text.data());
    }
    if (!is_all) return {};
    line_cursor const end(text.substr(text.size()));
    fail(end, "expected the numbers of vertices and edges, found the end");
    return 0;
  }

  void body(std::string_view lines, std::uint64_t row) override {
    for (line_cursor at(lines); !at.is_done(); at.next_line()) {
      if (at.starts_with('%')) continue;
      if (!vertex_line(at, row++)) return;
      ++rows_;
    }
  }
  [[nodiscard]] bool has_rows() const override { return true; }
  [[nodiscard]] std::uint64_t rows(std::string_view lines) const override {
    std::uint64_t count = 0;
    for (line_cursor at(lines); !at.is_done(); at.next_line()) count += at.starts_with('%') ? 0 : 1;
    return count;
  }
  [[nodiscard]] std::uint64_t edges_in(std::string_view lines) const override {
    auto const words = std::ranges::count(lines, ' ') + std::ranges::count(lines, '\n');
    return static_cast<std::uint64_t>(words) / (has_weights_ ? 4 : 2);
  }

  std::string check(team const& members) override {
    std::uint64_t const rows = all_reduce(members, rows_, std::plus<>{});
    both_.finish(members);
    std::string const promises = ": its head promises ";
    if (rows < *facts_.vertices)
      return promises + std::to_string(*facts_.vertices) + " vertices, but there are " + std::to_string(rows) +
             " lines for them";
    if (!both_.are_equal()) return ": an edge must stand in the lines of both its ends, but some stand in one only";
    std::uint64_t const found = (both_.entries() + both_.loops()) / 2;
    if (found == wanted_) return {};
    return promises + std::to_string(wanted_) + " edges, but there are " + std::to_string(found);
  }

 private:
  bool sizes(line_cursor& at) {
    std::uint64_t vertices = 0, weights = 1;
    if (!at.number(vertices) || !at.number(wanted_))
      return fail(at, "expected the numbers of vertices and edges, found " + shown(at.line()));
    std::string_view const format = at.word();
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos)
      return fail(at, "expected a format of up to three digits 0 and 1, found " + shown(format));
    constexpr std::uint64_t most_weights = 1U << 20U;
    if (at.peek() != '\n' && (!at.number(weights) || weights > most_weights))
      return fail(at, "expected how many weights a vertex has, found " + shown(at.word()));
    auto const flag = [&](std::size_t from_right) {
      return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
    };
    has_weights_ = flag(0);
    passed_over_ = (flag(1) ? weights : 0) + (flag(2) ? 1 : 0);
    facts_ = {false, vertices};
    return true;
  }
  bool vertex_line(line_cursor& at, std::uint64_t row) {
    if (row >= *facts_.vertices) {
      if (at.peek() == '\n') return true;
      return fail(at, "expected no line after that of vertex " + std::to_string(*facts_.vertices) + ", found " +
                          shown(at.line()));
    }
    for (std::uint64_t i = 0; i < passed_over_; ++i) {
      if (at.word().empty())
        return fail(at,
                    "expected " + std::to_string(passed_over_) + " weights of the vertex, found " + shown(at.line()));
    }
    while (at.peek() != '\n') {
      if (!neighbour(at, row)) return false;
    }
    return true;
  }
  bool neighbour(line_cursor& at, std::uint64_t row) {
    std::uint64_t other = 0;
    bool const is_number = at.number(other);
    if (other - 1 >= *facts_.vertices) {
      std::string const found = is_number ? shown(std::to_string(other)) : shown(at.word());
      return fail(at, "expected a neighbour of 1 to " + std::to_string(*facts_.vertices) + ", found " + found);
    }
    std::string_view const value = has_weights_ ? at.word() : std::string_view{};
    if (has_weights_ && value.empty())
      return fail(at, "the weight of the edge to " + std::to_string(other) + " is missing");
    return !both_.add(row, other - 1) || take(at, row, other - 1, value);
  }

  std::uint64_t rows_ = 0, wanted_ = 0, passed_over_ = 0;
  bool has_weights_ = false;
  both_ways both_;
};

}  // namespace

std::unique_ptr<text_form> metis_form(edge_sink to) { return std::make_unique<metis>(to); }

}  // namespace sheaf::detail
