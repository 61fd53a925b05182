// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sheaf/message/codec.hpp"
#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/rmi/method_pointer.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"

namespace sheaf::detail {

/// An object, and the team that has it, as this location sees them.
struct team_object {
  location& here;
  team_state& team;
  std::uint32_t number;

  /// Throws usage_error where others may not call `verb`, or the job is over.
  static team_object of(char const* verb, target const& to, call_site from) {
    if (to.members().ended) throw_ended(to.members(), from);
    to.members().here->check_owner(verb, from);
    return {*to.members().here, to.members(), to.object_number()};
  }

  template <class Handler>
  [[nodiscard]] run_tag tag() const {
    return {handler_number<Handler>, number, team.id};
  }
};

/// Throws wire_error when the team has no member `origin`.
void check_origin(team_state const& team, std::uint32_t origin);

/// Sends a record of a request to this member's children in the tree with `origin` at its root. Throws as check_origin.
void spread(team_object const& object, std::uint32_t origin, run_tag tag, std::span<std::byte const> record,
            std::uint32_t record_bytes);

/// Called before the origin spreads, with what it will send: in the program it executes requests, as async does.
void prepare_to_spread(char const* what, team_object const& object, run_tag tag, call_site from);

/// Calls `then` with the encoded record. Where a user's codec throws, nothing has happened.
template <class Codec, class Then, class... V>
void with_record(Then then, V const&... values) {
  auto const begin = [&](std::span<std::byte> record) {
    write_exactly<Codec::outside>(record, [&](byte_writer& to) { Codec::encode(to, values...); });
    then(std::span<std::byte const>(record));
  };
  if constexpr (Codec::fixed && Codec::fixed_size <= 256) {
    std::byte record[Codec::fixed_size];
    begin(record);
  } else {
    encoded record(Codec::size(values...));
    begin(room_of(record));
  }
}

/// Spreads a record from here, and does `also`. Nothing is executed in between: all see its broadcasts in one order.
template <class Request, class Also>
void spread_from_here(team_object const& object, std::span<std::byte const> record, Also also) {
  object.here.in().run_as_method([&] {
    spread(object, object.team.rank, object.tag<Request>(), record, Request::record_bytes);
    also();
  });
}

}  // namespace sheaf::detail
