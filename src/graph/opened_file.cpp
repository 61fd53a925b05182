// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/opened_file.hpp"

#include <algorithm>
#include <utility>

#include "sheaf/graph/graph_file.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

opened_file::opened_file(team const& members, std::string const& path) : team_(members), path_(path) {
  std::string unreadable;
  try {
    file_.emplace(path);
  } catch (graph_file_error const& wrong) {
    unreadable = wrong.what();
  }
  std::uint64_t const size = file_ ? bytes().size() : 0;
  auto const join = [](auto const& a, auto const& b) {
    return std::pair(std::pair(std::min(a.first.first, b.first.first), std::max(a.first.second, b.first.second)),
                     a.second.empty() ? b.second : a.second);
  };
  auto const [sizes, text] = all_reduce(members, std::pair(std::pair(size, size), unreadable), join);
  if (!text.empty()) throw graph_file_error(text);
  if (sizes.first != sizes.second)
    fail(": has " + std::to_string(sizes.first) + " bytes for one member, but " + std::to_string(sizes.second) +
         " for another");
}

void opened_file::agree(file_fault const& own) const {
  auto const first = [](auto const& a, auto const& b) { return a.first <= b.first ? a : b; };
  auto const one = all_reduce(team_, std::pair(own.position, own.text), first);
  if (one.first != file_fault{}.position) fail(one.second);
}

void opened_file::fail(std::string const& what) const { throw graph_file_error("sheaf: " + path_ + what); }

}  // namespace sheaf::detail
