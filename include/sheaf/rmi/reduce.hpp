// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <utility>

#include "sheaf/rmi/detail/reducing.hpp"
#include "sheaf/rmi/to_whom.hpp"

/// One question to all members of an object's team (ARMI §3.3: reduce_rmi; its first form: collect_rmi). `object` is a
/// handle, or a distributed object of this location; methods, pointers to them and callables as in broadcast.hpp. The
/// method runs once on each member's representative. `op` is associative, const-callable as op(R, R) -> R on the
/// method's result type R, and applied in the order of ranks, so it need not commute: op(…op(result of rank 0, result
/// of rank 1)…). It runs where requests may run, on several members, and must not wait.
namespace sheaf {

/// Asks all members, the caller included; nobody else has to call anything. `op` travels by value (trivially copyable).
/// The future holds the result, or, where a method or op threw, the error with the text of one that did. The request
/// goes down a tree as that of broadcast_rmi does, and in the same order towards others; results are put together on
/// their way up. A request and an answer per member, 2·log n steps. A fence of the team waits for the result.
template <auto... Method, class Object, class Op, class... A>
auto reduce_rmi(Object const& object, Op op, A&&... a) {
  using invoker = detail::invoker_on<Object, detail::methods<Method...>, A...>;
  return detail::ask_team<invoker>("reduce_rmi", detail::handle_of(object),
                                   detail::reducing<typename invoker::result, Op>{op}, std::forward<A>(a)...);
}

/// As reduce_rmi, for the results themselves, as a vector by rank.
template <auto... Method, class Object, class... A>
auto collect_rmi(Object const& object, A&&... a) {
  using invoker = detail::invoker_on<Object, detail::methods<Method...>, A...>;
  return detail::ask_team<invoker>("collect_rmi", detail::handle_of(object),
                                   detail::collecting<typename invoker::result>{}, std::forward<A>(a)...);
}

/// Collective over the object's team: all members call it, each gives the arguments for its own representative, and
/// `op` need not travel. With `to_all` every member gets the result R; with `to_one{root}` an optional of R, which only
/// the root's holds. Costs what all_reduce or reduce costs; no request is waited for. Where a method or op threw,
/// throws remote_error with the text of one that did, on everybody who would get the result.
template <auto... Method, class Whom, class Object, class Op, class... A>
auto collective_reduce_rmi(detail::addressed<Whom> whom, Object const& object, Op op, A&&... a) {
  using invoker = detail::invoker_on<Object, detail::methods<Method...>, A...>;
  return detail::collective_sum<invoker>("collective_reduce_rmi", whom, detail::handle_of(object),
                                         detail::reducing<typename invoker::result, Op>{op}, std::forward<A>(a)...);
}

/// As collective_reduce_rmi, for the results themselves, as a vector by rank.
template <auto... Method, class Whom, class Object, class... A>
auto collective_collect_rmi(detail::addressed<Whom> whom, Object const& object, A&&... a) {
  using invoker = detail::invoker_on<Object, detail::methods<Method...>, A...>;
  return detail::collective_sum<invoker>("collective_collect_rmi", whom, detail::handle_of(object),
                                         detail::collecting<typename invoker::result>{}, std::forward<A>(a)...);
}

}  // namespace sheaf
