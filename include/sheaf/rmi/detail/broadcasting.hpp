// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sheaf/rmi/detail/reducing.hpp"
#include "sheaf/rmi/detail/spreading.hpp"
#include "sheaf/runtime/to_whom.hpp"

namespace sheaf::detail {

/// No answer, as for a statement of the issuer. Each member passes the record on before it runs the method.
struct broadcast_answer : statement_answer {
  using envelope = arguments_codec<std::uint32_t>;  // the rank of who issued it

  std::uint32_t object;

  explicit broadcast_answer(asked_call const& of) : statement_answer(of), object(of.object) {}
  template <class Request>
  void open(location& here, std::span<std::byte const> record, std::uint32_t issuer) {
    team_object const own{here, *team, object};
    spread(own, issuer, own.tag<Request>(), record, Request::record_bytes);
    caller = team->members[issuer];
  }
};

/// One request over a tree.
template <class Invoker, bool CallerToo, class... A>
void broadcast(target const& to, call_site from, A&&... a) {
  using request = detail::request<Invoker, broadcast_answer>;
  using own_request = async_request<Invoker>;
  team_object const object = team_object::of("async", to, from);
  auto const send = [&](std::span<std::byte const> record) {
    prepare_to_spread("async", object, object.tag<request>(), from);
    spread_from_here<request>(object, record, [&] {
      if constexpr (CallerToo)
        put_encoded(object.here, object.here.member_box(object.team, object.team.rank), object.tag<own_request>(),
                    record.subspan(broadcast_answer::envelope::fixed_size), own_request::record_bytes);
    });
  };
  std::apply([&](auto const&... v) { with_record<typename request::codec>(send, object.team.rank, v...); },
             referred<Invoker>(std::forward<A>(a)...));
}

/// `issue(rank)` for each.
void each_member(target const& to, bool caller_too, call_site from, auto issue) {
  team_object const object = team_object::of("async", to, from);
  for (std::uint32_t rank = 0; rank < object.team.size(); ++rank) {
    if (caller_too || rank != object.team.rank) issue(located<std::uint64_t>(rank, from));
  }
}

}  // namespace sheaf::detail
