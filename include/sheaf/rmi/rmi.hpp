// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/rmi/detail/target.hpp"

/// Remote method invocation in ARMI's words (§3.3). Common to all functions here:
/// `dest` is a member's rank in the object's team; the caller must be a member, too (usage_error otherwise, and for a
/// rank that does not exist). The method runs on the destination's thread, one at a time; arguments travel by value.
/// Requests from one location to another start in the order issued, whatever their objects and forms. In the program
/// each call may execute others' requests (after poll_every to one destination at the latest, and while the pair has no
/// credit); in a remotely invoked method only those that wait do.
/// What is called is named at compile time (`async_rmi<&T::method>(dest, object, a...)`, the cheapest), or given:
/// - a pointer to a method of T or of a base, ARMI's spelling: `async_rmi(dest, object, &T::method, a...)`; virtual or
///   chosen at run time, too. It costs an indirect call, and once for each destination a record that names the method
///   (neither with named_method). Of overloaded methods async_rmi takes the one with exactly the arguments' types;
///   otherwise, and where there is a result, choose: `sheaf::overload<int>(&T::method)`;
/// - a callable: it travels by value (trivially copyable) and is called with the object and the arguments.
namespace sheaf {

/// A statement: issues the request and returns. Complete everywhere after the next fence of the object's team. Costs a
/// few nanoseconds here and its packed arguments in a shared buffer. That fence throws the method's exception.
template <auto... Method, class T, class... A>
void async_rmi(located<std::uint64_t> dest, handle<T> object, A&&... a) {
  detail::target::of("async_rmi", object, dest.from).template async<T, Method...>(dest, std::forward<A>(a)...);
}

template <class T, class... A>
void async_rmi(
    located<std::uint64_t> dest, handle<T> object,
    detail::overload_for_exactly_these_arguments_else_use_sheaf_overload<T, std::decay_t<A>...> const& chosen,
    A&&... a) {
  auto const to = detail::target::of("async_rmi", object, dest.from);
  to.template async<T>(dest, chosen.method(), std::forward<A>(a)...);
}

/// A question: waits for the method's result, executing others' requests meanwhile; throws remote_error when it threw.
/// Flushes the pair's buffer and travels behind it; one entry each way. In a remotely invoked method it nests, to
/// options::nesting_limit; at the limit it throws nesting_limit and nothing has been sent.
template <auto... Method, class T, class... A>
auto sync_rmi(located<std::uint64_t> dest, handle<T> object, A&&... a) {
  return detail::target::of("sync_rmi", object, dest.from).template sync<T, Method...>(dest, std::forward<A>(a)...);
}

template <class T, class... A>
void sync_rmi(located<std::uint64_t>, handle<T>, detail::for_an_overloaded_method_use_sheaf_overload, A&&...) = delete;

/// A question whose answer is fetched later (ARMI's opaque handle): requests and replies are gathered as async_rmi's
/// are. A fence of the team also waits for the replies.
template <auto... Method, class T, class... A>
auto opaque_rmi(located<std::uint64_t> dest, handle<T> object, A&&... a) {
  auto const to = detail::target::of("opaque_rmi", object, dest.from);
  return to.template split_phase<T, Method...>(dest, std::forward<A>(a)...);
}

template <class T, class... A>
void opaque_rmi(located<std::uint64_t>, handle<T>, detail::for_an_overloaded_method_use_sheaf_overload,
                A&&...) = delete;

/// As async_rmi where that would neither wait nor execute anything, and says whether it did. True: the request is
/// issued, in order with all others, and async_rmi's contract holds for it. False: what the pair may have under way
/// (options::ring_slots entries, SHEAF_WINDOW buffers) is under way, and nothing has been issued; what was issued
/// before stays so. Never waits, never executes others' requests, and in a method never takes from the reserve. So a
/// program that only tries must poll (rmi_poll) or wait before it tries again, or credit may never come back.
template <auto... Method, class T, class... A>
[[nodiscard]] bool try_rmi(located<std::uint64_t> dest, handle<T> object, A&&... a) {
  auto const to = detail::target::of("try_rmi", object, dest.from);
  return to.template try_async<T, Method...>(dest.value, std::forward<A>(a)...);
}

}  // namespace sheaf
