// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/rmi/detail/broadcasting.hpp"
#include "sheaf/rmi/to_whom.hpp"

/// One request to all members of an object's team (ARMI §3.3). `object` is a handle, or a distributed object of this
/// location; `whom` is `to_all`, or `to_others`, which leaves the caller out. Methods, pointers to methods and
/// callables as in rmi.hpp; a pointer travels in front of the arguments (24 bytes).
namespace sheaf {

/// A statement to the team: issues the request and returns. Nobody else has to call anything. The method runs once on
/// each member's representative, as that of an async_rmi; complete everywhere after the next fence of the object's
/// team, which throws the methods' exceptions. The request goes down a tree with options::tree_arity children per
/// member, each of which passes it on before it runs the method: at most that many messages per member, log n steps
/// until the last has it. To the caller itself it goes like any request to oneself.
///
/// Order: the broadcasts that one location issues on objects of one team start on each member in the order issued,
/// unless their methods are declared concurrent (then threads that help pass them on, too). To the location's other
/// requests there is none, since they go other ways; fence between them, or use `in_pair_order`.
template <auto... Method, class Whom, class Object, class... A>
requires detail::whom<Whom>
void broadcast_rmi(detail::addressed<Whom> whom, Object const& object, A&&... a) {
  using invoker = detail::invoker_on<Object, detail::methods<Method...>, A...>;
  detail::broadcast<invoker>("broadcast_rmi", whom, detail::handle_of(object), std::forward<A>(a)...);
}

/// A broadcast by one async_rmi to each member, in the order of each pair:
/// `broadcast_rmi<&T::close>(in_pair_order(to_all), object)` starts on no member before what this location has asked of
/// that member before. Costs the caller a request per member.
template <auto... Method, class Whom, class Object, class... A>
void broadcast_rmi(in_pair_order<Whom> order, Object const& object, A const&... a) {
  auto const issue = [&](detail::target const& to, located<std::uint64_t> rank) {
    to.async<detail::object_type<Object>, Method...>(rank, a...);
  };
  detail::broadcast_in_order("broadcast_rmi", order, detail::handle_of(object), issue);
}

/// Collective over the object's team: all members call it, the method is invoked with the root's arguments on each
/// member's representative (of the others the types count, so that all may make the same call), and each member gets
/// the result of its own: `R`, or with `to_others` an optional of R, which is empty on the root. Returns on a member
/// when the method has run there, as a remotely invoked method runs; other members may not have come so far (barrier).
/// Throws remote_error on a member whose method threw. One message per member over a tree; no request is waited for.
template <auto... Method, class Whom, class Object, class... A>
requires detail::whom<Whom>
auto collective_broadcast_rmi(located<std::uint32_t> root, Whom, Object const& object, A&&... a) {
  using invoker = detail::invoker_on<Object, detail::methods<Method...>, A...>;
  return detail::collective_broadcast<invoker, Whom>(root, detail::handle_of(object), std::forward<A>(a)...);
}

}  // namespace sheaf
