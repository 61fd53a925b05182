// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/line_cursor.hpp"
#include "sheaf/graph/graph_file.hpp"

namespace sheaf::detail {

/// How a kind of text has edges: an object for one file on one member.
class text_form {
 public:
  explicit text_form(edge_sink to) : to_(to) {}
  virtual ~text_form() = default;
  text_form& operator=(text_form&&) = delete;

  /// Reads what stands in front of edges, where the file begins with `text`. Returns its bytes; nothing where there
  /// must be more text, but not if it `is_all`. It may be called again with more.
  virtual std::optional<std::size_t> head(std::string_view /*text*/, bool /*is_all*/) { return 0; }
  /// Takes the edges of lines, until something is wrong. `row`: counted lines between the head and these.
  virtual void body(std::string_view lines, std::uint64_t row) = 0;
  /// Lines that count, where their number matters.
  [[nodiscard]] virtual std::uint64_t rows(std::string_view /*lines*/) const { return 0; }
  [[nodiscard]] virtual bool has_rows() const { return false; }
  /// About how many edges are taken of lines.
  [[nodiscard]] virtual std::uint64_t edges_in(std::string_view lines) const;
  /// Collective, at the end: what is wrong with the whole; empty if nothing is.
  virtual std::string check(team const& /*members*/) { return {}; }

  [[nodiscard]] file_facts const& facts() const { return facts_; }
  [[nodiscard]] edge_sink const& sink() const { return to_; }
  /// What is wrong in the text of the last call, and where; nothing is if it is empty.
  [[nodiscard]] std::string const& wrong() const { return wrong_; }
  [[nodiscard]] char const* wrong_at() const { return wrong_at_; }

 protected:
  bool fail(line_cursor const& at, std::string what) {
    wrong_ = std::move(what);
    wrong_at_ = at.line().data();
    return false;
  }
  bool take(line_cursor const& at, std::uint64_t source, std::uint64_t target, std::string_view value) {
    if (to_.take(to_.edges, source, target, value)) return true;
    return fail(at, shown(value) + " is no value of an edge of this program's type");
  }
  file_facts facts_;

 private:
  edge_sink const to_;
  std::string wrong_;
  char const* wrong_at_ = nullptr;
};

constexpr std::string_view matrix_banner = "%%MatrixMarket";

std::unique_ptr<text_form> edge_list_form(edge_sink to);
std::unique_ptr<text_form> matrix_form(edge_sink to);
std::unique_ptr<text_form> metis_form(edge_sink to);

}  // namespace sheaf::detail
