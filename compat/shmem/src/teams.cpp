// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "teams.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sheaf/runtime/collectives.hpp"

namespace sheaf_shmem {
namespace {

shmem_team world, shared;
std::vector<shmem_team*> split;
std::map<std::tuple<int, int, int>, sheaf::team> active_sets;

int rank_in(sheaf::team const& members, location_id pe) {
  for (std::uint32_t rank = 0; rank < members.size(); ++rank) {
    if (members.location_of(rank) == pe) return static_cast<int>(rank);
  }
  return -1;
}

std::vector<std::uint32_t> ranks_of(std::uint32_t start, std::int64_t stride, int size) {
  std::vector<std::uint32_t> ranks;
  for (int i = 0; i < size; ++i) ranks.push_back(static_cast<std::uint32_t>(start + i * stride));
  return ranks;
}

}  // namespace

void begin_teams() {
  auto& net = here.memory->here.connection();
  world.members = here.world;
  shared.members = here.world->subteam_if(
      [&](std::uint32_t pe) { return pe == here.self || (net.tells_near() && net.near(location_id{pe})); });
}

void end_teams() {
  for (shmem_team* one : split) delete one;
  split.clear();
  active_sets.clear();
  world.members.reset();
  shared.members.reset();
}

sheaf::team const& members_of(char const* function, shmem_team_t team) {
  check_begun(function);
  if (team == SHMEM_TEAM_INVALID) fail(function, "the team is SHMEM_TEAM_INVALID; pass one that the caller is in");
  return *team->members;
}

sheaf::team const& members_of(char const* function, int start, int log_stride, int size) {
  static_cast<void>(checked_pe(function, start));
  std::int64_t const stride = std::int64_t{1} << std::clamp(log_stride, 0, 30), last = start + (size - 1) * stride;
  if (size < 1 || last >= here.count) {
    fail(function, "an active set of " + std::to_string(size) + " PEs from " + std::to_string(start) + ", " +
                       std::to_string(stride) + " apart; PEs are 0 to " + std::to_string(here.count - 1));
  }
  if (size == static_cast<int>(here.count)) return *here.world;
  auto const key = std::tuple(start, log_stride, size);
  if (auto const known = active_sets.find(key); known != active_sets.end()) return known->second;
  auto const made = here.world->subteam(ranks_of(static_cast<std::uint32_t>(start), stride, size));
  if (!made)
    fail(function, "PE " + std::to_string(here.self) + " is not in the active set; only its PEs may call this");
  return active_sets.emplace(key, *made).first->second;
}

}  // namespace sheaf_shmem

using namespace sheaf_shmem;

shmem_team_t const SHMEM_TEAM_WORLD = &world;
shmem_team_t const SHMEM_TEAM_SHARED = &shared;

int shmem_team_my_pe(shmem_team_t team) {
  return team == SHMEM_TEAM_INVALID ? -1 : static_cast<int>(members_of("shmem_team_my_pe", team).rank());
}
int shmem_team_n_pes(shmem_team_t team) {
  return team == SHMEM_TEAM_INVALID ? -1 : static_cast<int>(members_of("shmem_team_n_pes", team).size());
}
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
  sheaf::team const& from = members_of("shmem_team_translate_pe", src_team);
  if (src_pe < 0 || src_pe >= static_cast<int>(from.size())) return -1;
  location_id const pe = from.location_of(static_cast<std::uint64_t>(src_pe));
  return rank_in(members_of("shmem_team_translate_pe", dest_team), pe);
}

int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size, shmem_team_config_t const*, long,
                             shmem_team_t* new_team) {
  *new_team = SHMEM_TEAM_INVALID;
  if (parent == SHMEM_TEAM_INVALID) return -1;
  sheaf::team const& from = members_of("shmem_team_split_strided", parent);
  std::int64_t const last = start + std::int64_t{size - 1} * stride, count = from.size();
  if (size < 1 || start < 0 || start >= count || last < 0 || last >= count || (stride == 0 && size > 1)) return -1;
  return translated("shmem_team_split_strided", [&](one_sided&) {
    auto const made = from.subteam(ranks_of(static_cast<std::uint32_t>(start), stride, size));
    if (made) {
      split.push_back(new shmem_team{made});
      *new_team = split.back();
    }
    return 0;
  });
}

void shmem_team_destroy(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  auto const found = std::find(split.begin(), split.end(), team);
  if (found == split.end()) fail("shmem_team_destroy", "the team is none that shmem_team_split_strided has made");
  translated("shmem_team_destroy", [&](one_sided&) { team->members->end(); });
  split.erase(found);
  delete team;
}
