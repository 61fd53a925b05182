// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "sheaf/rmi/detail/reducing.hpp"
#include "sheaf/rmi/detail/spreading.hpp"
#include "sheaf/rmi/to_whom.hpp"

namespace sheaf::detail {

template <class W>
concept whom = std::is_same_v<W, to_all_members> || std::is_same_v<W, to_other_members>;

/// None, as to a statement of who issued it; each member passes the record on before it runs the method.
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

template <class Invoker, class Whom, class T, class... A>
void broadcast(char const* what, addressed<Whom> whom, handle<T> to, A&&... a) {
  using request = detail::request<Invoker, broadcast_answer>;
  using own_request = async_request<Invoker>;
  team_object const object = team_object::of(what, to, whom.from);
  auto const send = [&](std::span<std::byte const> record) {
    prepare_to_spread(what, object, object.tag<request>(), whom.from);
    spread_from_here<request>(object, record, [&] {
      if constexpr (Whom::caller_too)
        put_encoded(object.here, object.here.member_box(object.team, object.team.rank), object.tag<own_request>(),
                    record.subspan(broadcast_answer::envelope::fixed_size), own_request::record_bytes);
    });
  };
  std::apply([&](auto const&... v) { with_record<typename request::codec>(send, object.team.rank, v...); },
             converted<Invoker>(std::forward<A>(a)...));
}

/// `issue(target, rank)` for each.
template <class Whom, class T, class Issue>
void broadcast_in_order(char const* what, in_pair_order<Whom> order, handle<T> to, Issue issue) {
  static_assert(whom<Whom>, "sheaf: in_pair_order takes to_all or to_others");
  team_object const object = team_object::of(what, to, order.from);
  target const each = target::of(object.here, to, order.from);
  for (std::uint32_t rank = 0; rank < object.team.size(); ++rank) {
    if (Whom::caller_too || rank != object.team.rank) issue(each, located<std::uint64_t>(rank, order.from));
  }
}

template <class Invoker, class Whom, class T, class... A>
auto collective_broadcast(located<std::uint32_t> from_root, handle<T> to, A&&... a) {
  using result = typename Invoker::result;
  using own_type = typename Invoker::object;
  std::uint32_t const root = from_root.value;
  team_object const object = team_object::of("collective_broadcast_rmi", to, from_root.from);
  auto const call = [&](std::span<std::byte const> bytes) -> result {
    auto& self = *static_cast<own_type*>(object.representative(token_of<own_type>()));
    return std::apply(
        [&](auto&&... v) { return call_here<Invoker>(object.here, self, object.team.members[root], std::move(v)...); },
        decode_whole(bytes, [](byte_reader& reader) { return Invoker::codec::decode(reader); }));
  };
  auto const take_part = [&](std::span<std::byte const> bytes) {
    if constexpr (Whom::caller_too) {
      return call(bytes);
    } else if constexpr (std::is_void_v<result>) {
      if (object.team.rank != root) call(bytes);
    } else {
      return object.team.rank == root ? std::optional<result>() : std::optional<result>(call(bytes));
    }
  };
  class team const members = object.members();
  auto const all = called_by_all<Invoker, void>("collective_broadcast_rmi", members, object, from_root.from, root);
  auto const give = [&](auto write) { std::apply(write, converted<Invoker>(std::forward<A>(a)...)); };
  return broadcast_values<typename Invoker::codec>(all, give, take_part);
}

}  // namespace sheaf::detail
