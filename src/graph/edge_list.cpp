// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/text_form.hpp"

namespace sheaf::detail {

namespace {

class edge_list final : public text_form {
 public:
  using text_form::text_form;

  void body(std::string_view lines, std::uint64_t /*row*/) override {
    for (line_cursor at(lines); !at.is_done(); at.next_line()) {
      if (!edge_line(at)) return;
    }
  }

 private:
  bool edge_line(line_cursor& at) {
    char const first = at.peek();
    if (first == '\n' || first == '#' || first == '%') return true;
    std::uint64_t source = 0, target = 0;
    if (!at.number(source))
      return fail(at, "expected the id of a vertex, a number of 0 to 2^64 - 1, found " + shown(at.word()));
    if (!at.number(target)) return fail(at, "expected two ids, found " + shown(at.line()));
    return take(at, source, target, at.word());
  }
};

}  // namespace

std::uint64_t text_form::edges_in(std::string_view lines) const {
  std::uint64_t count = 0;  // lines that begin with a digit
  for (std::size_t at = 0; at < lines.size(); at = std::min(lines.find('\n', at), lines.size() - 1) + 1)
    count += lines[at] >= '0' && lines[at] <= '9' ? 1 : 0;
  return count;
}

std::unique_ptr<text_form> edge_list_form(edge_sink to) { return std::make_unique<edge_list>(to); }

}  // namespace sheaf::detail
