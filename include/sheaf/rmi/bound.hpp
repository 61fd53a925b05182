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
  explicit bound_rmi(detail::target const& to) : to_(to), tag_(to.async_tag<invoker>()) {}

  /// As async_rmi<Method>(dest, object, a...).
  template <class... A>
  void operator()(std::uint64_t dest, A&&... a) const {
    to_.template async_as<invoker>(tag_, dest, std::forward<A>(a)...);
  }

 private:
  using invoker = detail::method_invoker<T, Method>;

  detail::target to_;
  run_tag tag_;
};

/// The method of the object that the handle names. Throws as async_rmi does where the handle names no object or the
/// caller is not a member of its team.
template <auto Method, class T>
[[nodiscard]] bound_rmi<Method, T> bind_rmi(handle<T> object) {
  return bound_rmi<Method, T>(detail::target::of(detail::current("bind_rmi"), object));
}

}  // namespace sheaf
