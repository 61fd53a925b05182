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
template <auto Method, class T>
class bound_rmi {
 public:
  explicit bound_rmi(detail::target const& to) : to_(to), tag_(to.request_tag<detail::async_request<invoker>>()) {}

  /// As async_rmi<Method>(dest, object, a...).
  template <class... A>
  void operator()(located<std::uint64_t> dest, A&&... a) const {
    to_.template async_as<invoker>(tag_, dest, std::forward<A>(a)...);
  }

 private:
  using invoker = detail::method_invoker<T, Method>;

  detail::target to_;
  run_tag tag_;
};

/// The same for a method chosen at run time; `M` is a pointer to a method of T.
template <class T, class M>
class bound_pointer {
 public:
  bound_pointer(detail::target const& to, M method)
      : to_(to), tag_(to.pointer_tag<detail::async_request<invoker>, T>(method)) {}

  /// As async_rmi(dest, object, method, a...).
  template <class... A>
  void operator()(located<std::uint64_t> dest, A&&... a) const {
    to_.template async_as<invoker>(tag_, dest, std::forward<A>(a)...);
  }

 private:
  using invoker = typename detail::chosen_method<T, M>::invoker;

  detail::target to_;
  run_tag tag_;
};

/// The method of the object that the handle names. Throws as async_rmi does where the handle names no object or the
/// caller is not a member of its team.
template <auto Method, class T>
[[nodiscard]] bound_rmi<Method, T> bind_rmi(handle<T> object) {
  return bound_rmi<Method, T>(detail::target::of(detail::current("bind_rmi"), object));
}
template <class T, class M>
[[nodiscard]] bound_pointer<T, M> bind_rmi(handle<T> object, M method) {
  return bound_pointer<T, M>(detail::target::of(detail::current("bind_rmi"), object), method);
}

}  // namespace sheaf
