// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/team_state.hpp"

#include <utility>

namespace sheaf::detail {

team_state::team_state(std::uint32_t number, member_list all, std::uint32_t own_rank, std::uint32_t lanes)
    : id(number), rank(own_rank), members(std::move(all)), shape(members, rank, lanes) {}

team_state::~team_state() = default;

void team_state::end() {
  ended = true;
  boxes = {};
  objects.clear();
  let_go();
}

}  // namespace sheaf::detail
