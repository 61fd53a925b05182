// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/team_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"
#include "sheaf/message/sparse_table.hpp"

namespace sheaf::detail {

team_state::team_state(team_number named, member_list all, std::uint32_t own_rank, std::uint32_t lanes,
                       std::uint32_t before_it)
    : id(named.id),
      rank(own_rank),
      members(std::move(all)),
      shape(members, rank, lanes),
      next_collective(named.first_collective),
      teams_before(before_it) {}

struct team_state::scope_table {
  sparse_table<scope_counts> counts;
  std::vector<bool> is_open{true};  // by number; no scope has number 0
};

team_state::~team_state() { delete scopes_; }

scope_counts& team_state::counts_in_scope(std::uint32_t number) {
  if (scopes_ == nullptr) scopes_ = new scope_table;
  return scopes_->counts[number];
}

std::uint32_t team_state::open_scope() {
  if (scopes_ == nullptr) scopes_ = new scope_table;
  auto& is_open = scopes_->is_open;
  auto const free = std::find(is_open.begin(), is_open.end(), false);
  auto const number = static_cast<std::uint32_t>(free - is_open.begin());
  if (number > run_scope::most) {
    throw usage_error("sheaf: team " + std::to_string(id) + " has " + std::to_string(run_scope::most) +
                      " open scopes, and no team has more; close some before you open others");
  }
  if (free == is_open.end()) is_open.push_back(false);
  is_open[number] = true;
  return number;
}

void team_state::close_scope(std::uint32_t number) {
  if (scopes_ != nullptr) scopes_->is_open[number] = false;  // else the job is over
}

void team_state::empty() {
  boxes = {};
  objects.clear();
  objects.shrink_to_fit();
  delete std::exchange(scopes_, nullptr);
}

void team_state::end() {
  ended = true;
  empty();
  let_go();
}

}  // namespace sheaf::detail
