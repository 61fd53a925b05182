// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// As async_rmi where that would neither wait nor execute anything, and says whether it did. True: the request is
/// issued, in order with all others, and async_rmi's contract holds for it. False: what the pair may have under way
/// (options::ring_slots entries, SHEAF_WINDOW buffers) is under way, and nothing has been issued; what was issued
/// before stays so. Never waits, never executes others' requests, and in a method never takes from the reserve. So a
/// program that only tries must poll (rmi_poll) or wait before it tries again, or credit may never come back.
template <auto Method, class T, class... A>
[[nodiscard]] bool try_rmi(located<std::uint64_t> dest, handle<T> object, A&&... a) {
  auto const to = detail::target::of(detail::current("try_rmi", dest.from), object, dest.from);
  return to.template try_async<detail::method_invoker<T, Method>>(dest.value, std::forward<A>(a)...);
}

/// The same with a pointer to a method, or a callable.
template <class T, class F, class... A>
[[nodiscard]] bool try_rmi(located<std::uint64_t> dest, handle<T> object, F f, A&&... a) {
  auto const to = detail::target::of(detail::current("try_rmi", dest.from), object, dest.from);
  return to.template try_call<T>(dest.value, f, std::forward<A>(a)...);
}

}  // namespace sheaf
