// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/text_file.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "graph/gzip_text.hpp"
#include "graph/text_form.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

constexpr std::size_t block_bytes = 64 * 1024;
constexpr std::size_t most_bytes = std::size_t{1} << 30U;  // of a compressed line

std::uint64_t lines_in(std::string_view text) { return static_cast<std::uint64_t>(std::ranges::count(text, '\n')); }

std::unique_ptr<text_form> form_of(graph_format format, std::string_view text, edge_sink to) {
  bool const is_matrix = format == graph_format::automatic && text.starts_with(matrix_banner);
  if (is_matrix || format == graph_format::matrix_market) return matrix_form(to);
  return format == graph_format::metis ? metis_form(to) : edge_list_form(to);
}

/// What the form has found wrong in a text, if anything, that begins at `position` and with this line.
file_fault fault_of(text_form const& form, std::string_view text, std::uint64_t position, std::uint64_t line) {
  if (form.wrong().empty()) return {};
  auto const before = static_cast<std::size_t>(form.wrong_at() - text.data());
  return file_fault::at_line(position + before, line + lines_in(text.substr(0, before)), form.wrong());
}

/// Asks for room for the edges of these lines, as those at their begin tell it. A line takes two bytes or more, so no
/// more room than some times the file.
void reserve(text_form const& form, std::string_view lines) {
  std::string_view const sample = lines.substr(0, block_bytes);
  if (sample.size() < block_bytes) return;
  double const share = static_cast<double>(lines.size()) / static_cast<double>(sample.size());
  auto const count = static_cast<double>(form.edges_in(sample)) * share * 1.02;
  form.sink().reserve(form.sink().edges, static_cast<std::uint64_t>(count));
}

file_facts read_plain(opened_file const& file, text_form& form) {
  std::string_view const text = file.bytes();
  team const& members = file.members();
  std::size_t const from = *form.head(text, true);
  file.agree(fault_of(form, text, 0, 1));
  std::string_view const own = lines_of(text, from, members.rank(), members.size());
  std::uint64_t row = 0;
  if (form.has_rows()) row = exclusive_scan(members, form.rows(own), std::uint64_t{0}, std::plus<>{});
  reserve(form, own);
  form.body(own, row);
  file_fault fault;
  if (!form.wrong().empty()) {
    auto const before = static_cast<std::uint64_t>(own.data() - text.data());
    fault = fault_of(form, own, before, 1 + lines_in(text.substr(0, before)));
  }
  file.agree(fault);
  return form.facts();
}

/// Whole lines, from the member that inflates them.
struct line_block {
  std::uint64_t position = 0, line = 1, row = 0;  ///< of its first line
  std::string text;

  void define_type(typer& t) {
    t.local(position);
    t.local(line);
    t.local(row);
    t.local(text);
  }
};

/// A compressed text, on one member. All inflate its head, the first one the rest.
class compressed_reader {
 public:
  compressed_reader(opened_file const& file, graph_format format, edge_sink to) : file_(file), source_(file.bytes()) {
    fill(block_bytes);
    form_ = form_of(format, text_, to);
  }

  text_form& form() { return *form_; }
  file_facts read() {
    read_head();
    file_.agree(fault_);
    message_type<line_block> blocks(file_.members(), [this](line_block const& one) { take(one); });
    epoch(file_.members(), [&] {
      if (file_.members().rank() == 0) deal(blocks);
    });
    file_.agree(fault_);
    return form_->facts();
  }

 private:
  void fill(std::size_t bytes) { source_.read(text_, bytes); }
  /// The inflated text goes on no further than text_, because something is wrong.
  void fail(std::string const& what) {
    fault_ = file_fault::at_line(at_.position + text_.size(), at_.line + lines_in(text_), what);
  }

  void read_head() {
    std::optional<std::size_t> found = form_->head(text_, is_whole());
    while (!found && source_.wrong().empty() && text_.size() < most_bytes) {
      fill(text_.size());
      found = form_->head(text_, is_whole());
    }
    if (!found) return fail(source_.wrong().empty() ? "its head takes more than 1 GiB" : source_.wrong());
    fault_ = fault_of(*form_, text_, 0, 1);
    if (fault_.is_there()) return;
    at_.position = *found;
    at_.line += lines_in(std::string_view(text_).substr(0, *found));
    text_.erase(0, *found);
  }
  [[nodiscard]] bool is_whole() const { return source_.is_at_end() && source_.wrong().empty(); }

  /// Sends each member a block in its turn.
  void deal(message_type<line_block>& blocks) {
    for (std::uint32_t to = 0; !fault_.is_there(); to = (to + 1) % file_.members().size()) {
      std::size_t const end = is_whole() ? text_.size() : text_.rfind('\n') + 1;
      if (end != 0) {
        at_.text.assign(text_, 0, end);
        to == 0 ? take(at_) : blocks.send(to, at_);
        at_.position += end;
        at_.line += lines_in(at_.text);
        at_.row += form_->rows(at_.text);
        text_.erase(0, end);
      }
      if (source_.is_at_end()) break;
      if (text_.size() > most_bytes) return fail("the line is longer than 1 GiB");
      fill(std::max(block_bytes, text_.size()));
    }
    if (!fault_.is_there() && !source_.wrong().empty()) fail(source_.wrong());
  }
  /// Blocks come in their order.
  void take(line_block const& one) {
    if (fault_.is_there()) return;
    form_->body(one.text, one.row);
    fault_ = fault_of(*form_, one.text, one.position, one.line);
  }

  opened_file const& file_;
  gzip_text source_;
  std::string text_;  // inflated, and not yet taken
  std::unique_ptr<text_form> form_;
  line_block at_;  // where text_ begins
  file_fault fault_;
};

file_facts checked(opened_file const& file, text_form& form, file_facts const& facts) {
  std::string const wrong = form.check(file.members());
  if (!wrong.empty()) file.fail(wrong);
  return facts;
}

}  // namespace

file_facts read_text_file(opened_file const& file, graph_format format, edge_sink to) {
  if (gzip_text::is_one(file.bytes())) {
    compressed_reader reader(file, format, to);
    file_facts const facts = reader.read();
    return checked(file, reader.form(), facts);
  }
  auto const form = form_of(format, file.bytes(), to);
  file_facts const facts = read_plain(file, *form);
  return checked(file, *form, facts);
}

}  // namespace sheaf::detail
