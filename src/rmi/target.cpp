// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/target.hpp"

#include <string>

#include "base/call_text.hpp"

namespace sheaf::detail {

void throw_bad_destination(std::uint64_t dest, team_state const& team, packed_call_site from) {
  throw usage_error("sheaf: destination " + rank_text(dest) + " is not a member of team " + std::to_string(team.id) +
                    "; its ranks are 0…" + std::to_string(team.size() - 1) + called_at(from));
}

void throw_no_object() {
  throw usage_error(
      "sheaf: a remote call on a handle that names no object; take handles from a registered object (handle())");
}

void throw_outside_pointer() {
  throw usage_error(
      "sheaf: opaque_rmi of a method pointer was called by an attached thread; name the method at compile time there, "
      "as in opaque_rmi<&T::method>, or use sync_rmi");
}

void throw_foreign_team(location const& here, std::uint32_t team) {
  throw usage_error("sheaf: location " + std::to_string(number(here.id())) + " is not a member of team " +
                    std::to_string(team) +
                    ", on which the object of this handle is registered; only members may call it");
}

outbox& meet_member(location& here, team_state& team, std::uint64_t dest, packed_call_site from) {
  if (dest >= team.size()) throw_bad_destination(dest, team, from);
  return here.member_box(team, dest);
}

}  // namespace sheaf::detail
