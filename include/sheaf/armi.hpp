// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <tuple>
#include <utility>

#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/published.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"

/// The names of ARMI (PPoPP 2003, §3.3 and §3.4) and STAPL for the calls of sheaf/sheaf.hpp, for programs that use
/// them. Each function is a verb of Sheaf (runtime/verbs.hpp) with the object as an argument, and has the contract of
/// that verb. `object`: a handle, or a distributed object of this location. docs/guide/armi.md has the list.
namespace sheaf {

template <auto... What, class Object, class... A>
void async_rmi(located<std::uint64_t> dest, Object const& object, A&&... a) {
  object.template async<What...>(dest, std::forward<A>(a)...);
}
template <auto... What, class Object, class... A>
auto sync_rmi(located<std::uint64_t> dest, Object const& object, A&&... a) {
  return object.template sync<What...>(dest, std::forward<A>(a)...);
}
/// ARMI's opaque handle is a future.
template <auto... What, class Object, class... A>
auto opaque_rmi(located<std::uint64_t> dest, Object const& object, A&&... a) {
  return object.template ask<What...>(dest, std::forward<A>(a)...);
}
template <auto... What, class Object, class... A>
[[nodiscard]] bool try_rmi(located<std::uint64_t> dest, Object const& object, A&&... a) {
  return object.template try_async<What...>(dest, std::forward<A>(a)...);
}
template <auto Method, class Object>
[[nodiscard]] auto bind_rmi(Object const& object, call_site where = call_site::here()) {
  return object.template bind<Method>(where);
}
template <class Object, class Pointer>
[[nodiscard]] auto bind_rmi(Object const& object, Pointer method, call_site where = call_site::here()) {
  return object.bind(method, where);
}

/// Calls of objects that one location has published.
template <auto... What, class T, class... A>
void async_rmi(detail::asked_object<T> object, A&&... a) {
  detail::world_of("async_rmi", object).template async<What...>(object, std::forward<A>(a)...);
}
template <auto... What, class T, class... A>
auto sync_rmi(detail::asked_object<T> object, A&&... a) {
  return detail::world_of("sync_rmi", object).template sync<What...>(object, std::forward<A>(a)...);
}
template <auto... What, class T, class... A>
auto opaque_rmi(detail::asked_object<T> object, A&&... a) {
  return detail::world_of("opaque_rmi", object).template ask<What...>(object, std::forward<A>(a)...);
}

/// To a whole team, by one member. `Whom`: to_all, to_others, or in_pair_order of one.
template <auto... What, class Whom, class Object, class... A>
void broadcast_rmi(detail::addressed<Whom> whom, Object const& object, A&&... a) {
  object.template async<What...>(whom, std::forward<A>(a)...);
}
template <auto... What, class Object, class Op, class... A>
auto reduce_rmi(Object const& object, Op op, A&&... a) {
  return object.template reduce<What...>(to_all, op, std::forward<A>(a)...);
}
template <auto... What, class Object, class... A>
auto collect_rmi(Object const& object, A&&... a) {
  return object.template ask<What...>(to_all, std::forward<A>(a)...);
}

/// The collective forms: all members of the object's team call them, each with its own representative.
template <auto Method, class Object, class... A>
auto collective_broadcast_rmi(std::uint64_t root, Object& object, A const&... a) {
  auto const own = std::tuple_cat(std::tie(object), broadcast(object.members(), root, std::tuple(a...)));
  return std::apply([](auto&&... all) { return std::invoke(Method, all...); }, own);
}
template <auto Method, class Object, class Op, class... A>
auto collective_reduce_rmi(Object& object, Op op, A&&... a) {
  return all_reduce(object.members(), std::invoke(Method, object, std::forward<A>(a)...), op);
}
template <auto Method, class Object, class... A>
auto collective_collect_rmi(Object& object, A&&... a) {
  return all_gather(object.members(), std::invoke(Method, object, std::forward<A>(a)...));
}

inline void rmi_fence(team const& members, call_site where = call_site::here()) { fence(members, where); }
inline void rmi_fence(call_site where = call_site::here()) { fence(world(where), where); }
auto rmi_fence(team const& members, auto const& own, auto const& op, call_site where = call_site::here()) {
  return fence(members, own, op, where);
}
inline void rmi_wait(call_site where = call_site::here()) { wait_for_request(where); }
template <class Done>
requires std::predicate<Done const&>
void block_until(Done const& done, call_site where = call_site::here()) { wait_until(done, where); }
inline bool rmi_poll() { return poll(); }
inline void rmi_flush(call_site where = call_site::here()) { flush(where); }

}  // namespace sheaf
