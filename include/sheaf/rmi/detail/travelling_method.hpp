// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "sheaf/base/ambient.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/rmi/method_pointer.hpp"

namespace sheaf::detail {

/// A method of T that a pointer names, as a callable that may be sent to anybody and on from there: what the pointer
/// means in all processes, in each record. For calls to a whole team, whose requests take many ways. `M` is a pointer
/// to a method of T.
template <class T, class M>
class travelling_method {
 public:
  /// Throws usage_error for what is no method of this program or of its libraries.
  template <class P>
  requires std::is_member_function_pointer_v<P> travelling_method(P method)  // NOLINT(google-explicit-constructor)
      : code_(ambient_location->calls().methods.depart(*ambient_location, chosen_method<T, P>::bits(method),
                                                       sizeof(T))) {}

  template <class... V>
  __attribute__((no_sanitize("vptr"))) decltype(auto) operator()(T& object, V&&... values) const {
    location& here = *ambient_location;
    return (object.*at_home(here, &object))(std::forward<V>(values)...);
  }

 private:
  M at_home(location& here, void const* object) const {
    admission const inside(here.gate());
    method_bits const bits = here.calls().methods.arrive(code_, object, sizeof(T), std::is_polymorphic_v<T>);
    M method;
    std::memcpy(&method, &bits, sizeof method);
    return method;
  }

  travelling_bits code_;
};

template <class M>
struct parameters_of;
template <class C, class R, class... A>
struct parameters_of<R (C::*)(A...)> {
  template <class T, class F>
  using invoker = callable_invoker<T, F, A...>;
};
template <class C, class R, class... A>
struct parameters_of<R (C::*)(A...) const> : parameters_of<R (C::*)(A...)> {};

/// The invoker of what a whole team is to run: a callable, or a method that a pointer names.
template <class T, class F, class... A>
struct called_by_team {
  using invoker = callable_invoker<T, F, A...>;
};
template <class T, class F, class... A>
requires std::is_member_pointer_v<F>
struct called_by_team<T, F, A...> {
  using pointer = typename method_pointer<F>::template of<T>;
  using invoker = typename parameters_of<pointer>::template invoker<T, travelling_method<T, pointer>>;
};

}  // namespace sheaf::detail
