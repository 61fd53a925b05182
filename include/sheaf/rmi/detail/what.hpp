// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/rmi/detail/invoker.hpp"
#include "sheaf/rmi/detail/request.hpp"
#include "sheaf/rmi/method_pointer.hpp"

/// What a remote call names: a type for each kind (docs/design/calls.md). It tells the `invoker`; the `tag` of a form
/// of request on a target; and which of the call's arguments the record holds, converted (`values`).
namespace sheaf::detail {

template <class Tuple, class... A>
inline constexpr bool convertible = false;
template <class... P, class... A>
inline constexpr bool convertible<std::tuple<P...>, A...> = (std::is_convertible_v<A&&, P> && ...);

/// The arguments as the method's parameters take them. Conversions are those that a direct call would make.
template <class Invoker, class... A>
typename Invoker::arguments converted(A&&... a) {
  constexpr bool right_number = sizeof...(A) == std::tuple_size_v<typename Invoker::arguments>;
  static_assert(right_number, "sheaf: a remote call has the wrong number of arguments for its method");
  if constexpr (right_number) {
    static_assert(convertible<typename Invoker::arguments, A...>,
                  "sheaf: an argument of a remote call does not convert to the parameter of its method");
    if constexpr (convertible<typename Invoker::arguments, A...>)
      return typename Invoker::arguments(std::forward<A>(a)...);
  }
}

/// A method that is named at compile time, or a callable, which is the first argument and travels as that.
template <class Invoker>
struct resolved {
  using invoker = Invoker;
  template <class Request, class Target, class... A>
  static run_tag tag(Target const& to, A const&...) {
    return to.template request_tag<Request>();
  }
  template <class... A>
  static typename Invoker::arguments values(A&&... a) {
    return converted<Invoker>(std::forward<A>(a)...);
  }
};

/// A pointer to a method, which is the first argument and does not travel. `M` is a pointer to a method of T.
template <class T, class M>
struct pointed {
  using invoker = typename chosen_method<T, M>::invoker;
  template <class Request, class Target, class... A>
  static run_tag tag(Target const& to, M method, A const&...) {
    return to.pointer_tag(handler_number<Request>, chosen_method<T, M>::bits(method), sizeof(T));
  }
  template <class... A>
  static typename invoker::arguments values(M, A&&... a) {
    return converted<invoker>(std::forward<A>(a)...);
  }
};

/// The method of a name that has exactly these parameters, for statements: an erased_method is the first argument.
template <class... A>
struct picked {
  struct invoker {
    static constexpr bool at_once = false, by_pointer = true;
    using arguments = std::tuple<A...>;
    using codec = arguments_codec<A...>;
  };
  template <class Request, class Target>
  static run_tag tag(Target const& to, erased_method const& method, A const&...) {
    return to.pointer_tag(method.handler, method.bits, method.object_bytes);
  }
  template <class... V>
  static typename invoker::arguments values(erased_method const&, V&&... a) {
    return typename invoker::arguments(std::forward<V>(a)...);
  }
};

template <auto... Method>
struct methods {};

/// The method, or else the first of the call's arguments, whose types A are decayed.
template <class T, class Methods, class... A>
struct what {
  static_assert(sizeof...(A) < 0, "sheaf: a remote call names one method, or is given what to call");
};
template <class T, auto Method, class... A>
struct what<T, methods<Method>, A...> {
  using one = resolved<method_invoker<T, Method>>;
  using of_team = method_invoker<T, Method>;
};
template <class T, class F, class... A>
struct what<T, methods<>, F, A...> {
  using one = resolved<callable_invoker<T, F, A...>>;
  using of_team = callable_invoker<T, F, A...>;
};
template <class T, class F, class... A>
requires std::is_member_pointer_v<F>
struct what<T, methods<>, F, A...> {
  using one = pointed<T, F>;
  /// A pointer to a method travels as a callable.
  using of_team = travelling_invoker<T, F>;
};
template <class T, class... A>
struct what<T, methods<>, erased_method, A...> {
  using one = picked<A...>;
};

/// What the call of a method, or with these arguments, names on an object of type T.
template <class T, class Methods, class... A>
using called = typename what<T, Methods, std::decay_t<A>...>::one;
template <class T, class Methods, class... A>
using called_by_team = typename what<T, Methods, std::decay_t<A>...>::of_team;

}  // namespace sheaf::detail
