// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/rmi/detail/target.hpp"

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
    to_.template async_as<detail::resolved<Invoker>>(tag_, dest, std::forward<A>(a)...);
  }

 private:
  detail::target to_;
  run_tag tag_;
};

namespace detail {

/// `method` is none where `Method` names it, or else a pointer to it.
template <class T, auto... Method, class... M>
[[nodiscard]] auto bound(target const& to, M... method) {
  using what = called<T, methods<Method...>, M...>;
  using invoker = typename what::invoker;
  return bound_rmi<invoker>(to, what::template tag<async_request<invoker>>(to, method...));
}

}  // namespace detail

/// Throws as async_rmi does where the handle names no object or the caller is not a member of its team.
template <auto Method, class T>
[[nodiscard]] auto bind_rmi(handle<T> object, call_site where = call_site::here()) {
  return detail::bound<T, Method>(detail::target::of("bind_rmi", object, where));
}
template <class T, class M>
[[nodiscard]] auto bind_rmi(handle<T> object, M method, call_site where = call_site::here()) {
  return detail::bound<T>(detail::target::of("bind_rmi", object, where), method);
}

}  // namespace sheaf
