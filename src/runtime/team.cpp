// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/team.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "sheaf/base/ambient.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

location_id team::location_of(std::uint32_t rank) const {
  if (rank < size()) return state_->members[rank];
  throw usage_error("sheaf: team " + std::to_string(id()) + " has no member " + std::to_string(rank) +
                    "; its ranks are 0 to " + std::to_string(size() - 1));
}

team team::split(std::uint32_t colour, std::uint32_t key) const {
  here_->check_may_wait(wait_kind::collective, "team::split");
  using choice = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // colour, key, rank
  auto const highest = [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); };
  std::uint32_t id = all_reduce(*this, here_->next_team_id(), highest);
  std::vector<choice> choices = all_gather(*this, choice(colour, key, rank()));
  std::sort(choices.begin(), choices.end());

  std::vector<location_id> members;
  std::uint32_t colours_before = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    auto const [its_colour, its_key, its_rank] = choices[i];
    bool const first = i == 0 || std::get<0>(choices[i - 1]) != its_colour;
    if (first && its_colour < colour) ++colours_before;
    if (its_colour == colour) members.push_back(state_->members[its_rank]);
  }
  return team(*here_, here_->add_team(id + colours_before, std::move(members)));
}

team world() {
  location& here = detail::current("world");
  return team(here, here.world());
}

namespace detail {

location& current(char const* what) {
  if (ambient_location != nullptr) return *ambient_location;
  throw usage_error(std::string("sheaf: ") + what + " was called outside of sheaf::run");
}

}  // namespace detail
}  // namespace sheaf
