// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/detail/record.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/call_text.hpp"
#include "sheaf/message/detail/run_loop.hpp"

namespace sheaf::detail {

void throw_bad_destination(std::uint64_t dest, team_state const& team, packed_call_site from) {
  throw usage_error("sheaf: destination " + rank_text(dest) + " is not a member of team " + std::to_string(team.id) +
                    "; its ranks are 0 to " + std::to_string(team.size() - 1) + called_at(from));
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

void put_encoded(location& here, outbox& box, run_tag tag, std::span<std::byte const> record,
                 std::uint32_t record_bytes) {
  admission const inside(here.gate());
  std::byte* const to = record_bytes != 0 ? box.append(tag, record_bytes) : box.append_varying(tag, record.size());
  if (!record.empty()) std::memcpy(to, record.data(), record.size());
}

void fetch_lines(std::byte const* at, std::byte const* end) noexcept {
  constexpr std::size_t line = 64;
  std::byte const* const last = at + std::min<std::ptrdiff_t>(lines_ahead, end - at);
  for (; at < last; at += line) __builtin_prefetch(at);
}

void throw_undecodable(execution const& state, char const* why) {
  std::string const source = " from " + name_of(state.source);
  if (!is_request(state.kind)) throw wire_error("sheaf: a result" + source + " does not decode: " + why);
  throw wire_error("sheaf: arguments for " + readable(state.handler->name) + source + " do not decode: " + why);
}

}  // namespace sheaf::detail
