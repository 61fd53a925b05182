// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// One method of one distributed object, resolved once for a loop that issues many requests (STAPL's bind_rmi):
///
///     auto const add = counts.bind<&histogram::add>();
///     for (auto const& word : words) add(owner_of(word), word);
///
/// Keep it in a local variable: the compiler then has all that the requests share in registers. For use by the location
/// that made it, while the object is registered.
template <class Invoker>
class bound_rmi {
 public:
  bound_rmi(detail::target const& to, run_tag tag) : to_(to), tag_(tag) {}

  /// As async_rmi(dest, object, a...) of that method.
  template <class... A>
  void operator()(located<std::uint64_t> dest, A&&... a) const {
    to_.template async_as<Invoker>(tag_, dest, std::forward<A>(a)...);
  }

 private:
  detail::target to_;
  run_tag tag_;
};

namespace detail {

template <class T, auto Method>
[[nodiscard]] auto bound(target const& to) {
  using invoker = method_invoker<T, Method>;
  return bound_rmi<invoker>(to, to.request_tag<async_request<invoker>>());
}
/// Binds a method chosen at run time; `M` is a pointer to a method of T.
template <class T, class M>
[[nodiscard]] auto bound(target const& to, M method) {
  using invoker = typename chosen_method<T, M>::invoker;
  return bound_rmi<invoker>(to, to.pointer_tag<async_request<invoker>, T>(method));
}

}  // namespace detail

/// The method of the object that the handle names. Throws as async_rmi does where the handle names no object or the
/// caller is not a member of its team.
template <auto Method, class T>
[[nodiscard]] auto bind_rmi(handle<T> object, call_site where = call_site::here()) {
  return detail::bound<T, Method>(detail::target::of(detail::current("bind_rmi", where), object, where));
}
template <class T, class M>
[[nodiscard]] auto bind_rmi(handle<T> object, M method, call_site where = call_site::here()) {
  return detail::bound<T>(detail::target::of(detail::current("bind_rmi", where), object, where), method);
}

}  // namespace sheaf
