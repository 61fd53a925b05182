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

/// Whether the arguments convert to the method's parameters; a sentence where they do not.
template <class Invoker, class... A>
consteval bool are_arguments() {
  constexpr bool right_number = sizeof...(A) == std::tuple_size_v<typename Invoker::arguments>;
  static_assert(right_number, "sheaf: a remote call has the wrong number of arguments for its method");
  if constexpr (right_number) {
    constexpr bool converts = convertible<typename Invoker::arguments, A...>;
    static_assert(converts, "sheaf: an argument of a remote call does not convert to the parameter of its method");
    return converts;
  }
  return false;
}

/// The arguments as the method's parameters take them. Conversions are those that a direct call would make.
template <class Invoker, class... A>
typename Invoker::arguments converted(A&&... a) {
  if constexpr (are_arguments<Invoker, A...>()) return typename Invoker::arguments(std::forward<A>(a)...);
}

/// How an argument A is encoded as a P before anything else is executed: a large lvalue by reference.
template <class P, class A>
using encoded_from = std::conditional_t<std::is_lvalue_reference_v<A> && std::is_same_v<std::remove_cvref_t<A>, P> &&
                                            (!fixed_size<P> || sizeof(P) > 64),
                                        P const&, P>;
template <class Tuple, class... A>
struct encoded_arguments;
template <class... P, class... A>
struct encoded_arguments<std::tuple<P...>, A...> {
  using type = std::tuple<encoded_from<P, A>...>;
};

/// As converted, for what is encoded before anything else is executed: handlers may change or end what lvalues name.
template <class Invoker, class... A>
auto referred(A&&... a) {
  if constexpr (are_arguments<Invoker, A...>())
    return typename encoded_arguments<typename Invoker::arguments, A&&...>::type(std::forward<A>(a)...);
}

/// What is named at compile time, or a callable, which is the first argument and travels as that.
template <class Invoker>
struct resolved {
  using invoker = Invoker;
  template <class Request, class Target, class... A>
  static run_tag tag(Target const& to, A const&...) {
    return to.template request_tag<Request>();
  }
  template <class... A>
  static auto values(A&&... a) {
    return converted<Invoker>(std::forward<A>(a)...);
  }
  template <class... A>
  static auto to_encode(A&&... a) {
    return referred<Invoker>(std::forward<A>(a)...);
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
  static auto values(M, A&&... a) {
    return converted<invoker>(std::forward<A>(a)...);
  }
  template <class... A>
  static auto to_encode(M, A&&... a) {
    return referred<invoker>(std::forward<A>(a)...);
  }
};

template <auto... Method>
struct methods {};

/// What is named, or else the first of the call's arguments, whose types A are decayed.
template <class T, class Methods, class... A>
struct what {
  static_assert(sizeof...(A) < 0, "sheaf: a remote call names one method, or is given what to call");
};
template <class T, auto Method, class... A>
struct what<T, methods<Method>, A...> {
  using of_team = typename named<T, Method, decltype(Method), A...>::invoker;
  using one = resolved<of_team>;
};
template <class T, class F, class... A>
struct what<T, methods<>, F, A...> {
  static_assert((!std::is_same_v<A, char const*> && ...),
                "sheaf: a callable of a remote call is given a string literal, which is a pointer and cannot travel; "
                "pass std::string(\"...\")");
  using of_team = callable_invoker<T, F, A...>;
  using one = resolved<of_team>;
};
template <class T, class F, class... A>
requires std::is_member_pointer_v<F>
struct what<T, methods<>, F, A...> {
  using one = pointed<T, F>;
  /// A pointer to a method travels as a callable.
  using of_team = travelling_invoker<T, F>;
};
/// A pointer to a function, too.
template <class T, class R, class... P, class... A>
struct what<T, methods<>, R (*)(P...), A...> {
  using of_team = typename behind_object<T, P...>::template with_callable<T, travelling_function<R (*)(P...)>>;
  using one = resolved<of_team>;
};

template <class T, class R, class... P, class... A>
struct what<T, methods<>, R (*)(P...) noexcept, A...> : what<T, methods<>, R (*)(P...), A...> {};

/// What the call of a method, or with these arguments, names on an object of type T.
template <class T, class Methods, class... A>
using called = typename what<T, Methods, std::decay_t<A>...>::one;
template <class T, class Methods, class... A>
using called_by_team = typename what<T, Methods, std::decay_t<A>...>::of_team;

}  // namespace sheaf::detail
