// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_file.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "graph/line_reader.hpp"
#include "graph/mapped_file.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

constexpr std::string_view matrix_banner = "%%MatrixMarket";

std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string all = "'";
  for (char const c : text.substr(0, most)) all += c >= ' ' && c <= '~' ? c : '?';
  return all + (text.size() > most ? "...'" : "'");
}

/// A reader of one file, on one member.
class text_reader {
 public:
  text_reader(team const& members, std::string const& path, edge_sink to) : team_(members), path_(path), to_(to) {
    try {
      file_.emplace(path);
    } catch (graph_file_error const& wrong) {
      unreadable_ = wrong.what();
    }
  }

  file_facts run(graph_format format) {
    if (!file_) fail(0, "");
    agree();
    std::string_view const text = file_->text();
    bool const by_name = path_.ends_with(".mtx") && format == graph_format::automatic;
    bool const by_text = text.starts_with(matrix_banner) && format == graph_format::automatic;
    bool const is_matrix = format == graph_format::matrix_market || by_name || by_text;
    std::uint64_t const body = is_matrix ? head() : 0;
    if (!fault_.is_there()) {
      for_each_line(text, body, team_.rank(), team_.size(), [&](std::string_view line, std::uint64_t at) {
        return is_matrix ? entry(line, at) : edge_line(line, at);
      });
    }
    agree();
    if (is_matrix) check_count();
    return facts_;
  }

 private:
  bool fail(std::uint64_t at, std::string what) {
    fault_ = {at, std::move(what)};
    return false;
  }

  bool edge_line(std::string_view line, std::uint64_t at) {
    word_reader words(line);
    std::uint64_t source = 0, target = 0;
    if (!words.number(source)) {
      word_reader first(line);
      std::string_view const word = first.word();
      if (word.empty() || word[0] == '#' || word[0] == '%') return true;
      return fail(at, "expected the id of a vertex, a number of 0 to 2^64 - 1, found " + shown(word));
    }
    if (!words.number(target)) return fail(at, "expected two ids, found " + shown(line));
    return take(source, target, words.word(), at);
  }
  bool take(std::uint64_t source, std::uint64_t target, std::string_view value, std::uint64_t at) {
    ++entries_;
    if (to_.take(to_.edges, source, target, value)) return true;
    return fail(at, shown(value) + " is no value of an edge of this program's type");
  }

  /// Of a Matrix Market file: reads up to the line of sizes. Returns where entries begin.
  std::uint64_t head() {
    std::string_view const text = file_->text();
    std::uint64_t at = 0;
    auto const next = [&] {
      std::uint64_t const stop = std::min<std::uint64_t>(text.find('\n', at), text.size());
      std::string_view const line = text.substr(at, stop - at);
      at = std::min<std::uint64_t>(stop + 1, text.size());
      return line;
    };
    if (!banner(next())) return at;
    while (at < text.size()) {
      std::uint64_t const begin = at;
      std::string_view const line = next();
      if (word_reader(line).word().empty() || line[0] == '%') continue;
      return sizes(line, begin) ? at : begin;
    }
    fail(at, "expected a line of rows, columns and entries, found the end");
    return at;
  }
  bool banner(std::string_view line) {
    std::string lower(line);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    word_reader words(lower);
    bool const is_one = words.word() == "%%matrixmarket" && words.word() == "matrix" && words.word() == "coordinate";
    std::string_view const field = words.word(), symmetry = words.word();
    is_pattern_ = field == "pattern";
    facts_.directed = symmetry != "symmetric";
    bool const is_known = (is_pattern_ || field == "real" || field == "integer" || field == "double") &&
                          (symmetry == "general" || symmetry == "symmetric");
    if (is_one && is_known) return true;
    return fail(0,
                "expected '%%MatrixMarket matrix coordinate', then pattern, integer or real, then general or "
                "symmetric; found " +
                    shown(line));
  }
  bool sizes(std::string_view line, std::uint64_t at) {
    word_reader words(line);
    std::uint64_t rows = 0, columns = 0;
    if (!words.number(rows) || !words.number(columns) || !words.number(wanted_))
      return fail(at, "expected numbers of rows, columns and entries, found " + shown(line));
    if (rows != columns)
      return fail(at, "a graph is a square matrix, but this one has " + std::to_string(rows) + " rows and " +
                          std::to_string(columns) + " columns");
    facts_.vertices = rows;
    return true;
  }
  bool entry(std::string_view line, std::uint64_t at) {
    word_reader words(line);
    std::uint64_t row = 0, column = 0;
    if (!words.number(row) || !words.number(column)) {
      std::string_view const first = word_reader(line).word();
      if (first.empty() || first[0] == '%') return true;
      return fail(at, "expected a row and a column, found " + shown(line));
    }
    std::uint64_t const most = facts_.vertices.value_or(0);
    if (row - 1 >= most || column - 1 >= most)
      return fail(at, "entry (" + std::to_string(row) + ", " + std::to_string(column) + ") is outside of 1 to " +
                          std::to_string(most));
    std::string_view const value = words.word();
    if (value.empty() != is_pattern_)
      return fail(at,
                  is_pattern_ ? "a pattern has no values, found " + shown(value) : std::string("the value is missing"));
    return take(row - 1, column - 1, value, at);
  }

  /// The first fault of all members, thrown by all.
  void agree() {
    std::string const own = file_ && fault_.is_there() ? text_of(fault_) : unreadable_;
    auto const first = [](auto const& a, auto const& b) { return a.first <= b.first ? a : b; };
    auto const one = all_reduce(team_, std::pair(fault_.position, own), first);
    if (one.first != file_fault{}.position) throw graph_file_error(one.second);
  }
  [[nodiscard]] std::string text_of(file_fault const& one) const {
    std::string_view const before = file_->text().substr(0, one.position);
    return "sheaf: " + path_ + ":" + std::to_string(1 + std::ranges::count(before, '\n')) + ": " + one.what;
  }
  void check_count() {
    std::uint64_t const all = all_reduce(team_, entries_, std::plus<>{});
    if (all != wanted_)
      throw graph_file_error("sheaf: " + path_ + ": its head promises " + std::to_string(wanted_) +
                             " entries, but there are " + std::to_string(all));
  }

  team const& team_;
  std::string const& path_;
  edge_sink const to_;
  std::optional<mapped_file> file_;
  std::string unreadable_;
  file_facts facts_;
  file_fault fault_;
  std::uint64_t entries_ = 0, wanted_ = 0;
  bool is_pattern_ = false;
};

}  // namespace

file_facts read_graph_file(team const& members, std::string const& path, graph_format format, edge_sink to) {
  return text_reader(members, path, to).run(format);
}

}  // namespace sheaf::detail
