// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/target.hpp"

#include <string>

#include "base/call_text.hpp"
#include "sheaf/rmi/detail/coroutine.hpp"

namespace sheaf::detail {

void throw_bad_destination(std::uint64_t dest, team_state const& team, packed_call_site from) {
  throw usage_error("sheaf: destination " + rank_text(dest) + " is not a member of team " + std::to_string(team.id) +
                    "; its ranks are 0…" + std::to_string(team.size() - 1) + called_at(from));
}

void throw_no_object(packed_call_site from) {
  throw usage_error(
      "sheaf: a remote call on a handle that names no object; take handles from a registered object (handle())" +
      called_at(from));
}

void throw_outside_pointer() {
  throw usage_error(
      "sheaf: opaque_rmi of a method pointer was called by an attached thread; name the method at compile time there, "
      "as in opaque_rmi<&T::method>, or use sync_rmi");
}

void throw_foreign_team(location const& here, std::uint32_t team, packed_call_site from) {
  throw usage_error("sheaf: location " + std::to_string(number(here.id())) + " is not a member of team " +
                    std::to_string(team) +
                    ", on which the object of this handle is registered; only members may call it" + called_at(from));
}

void throw_ended(team_state const& team, packed_call_site from) {
  throw usage_error("sheaf: an object of team " + std::to_string(team.id) +
                    " was called after sheaf::run had returned; its last call must come before" + called_at(from));
}

outbox& meet_member(team_state& team, std::uint64_t dest, packed_call_site from) {
  if (team.ended) throw_ended(team, from);
  if (dest >= team.size()) throw_bad_destination(dest, team, from);
  return team.here->member_box(team, dest);
}

void throw_object_gone() {
  throw usage_error(
      "its object was destroyed or withdrawn while the coroutine was suspended; fence (the world, for a published "
      "object) before it goes");
}

}  // namespace sheaf::detail
