// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/async/task.hpp"
#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/type_token.hpp"
#include "sheaf/rmi/method_traits.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

template <class T, class F, class... A>
struct callable_invoker;

/// Replaces the object's type in calls without an object; then a team_member stands for the object.
struct no_object {};
struct team_member {
  location& here;
  team_state& state;
  [[nodiscard]] team on() const { return team_of(here, state); }
};

template <class M>
struct method_pointer {
  static_assert(sizeof(M) == 0,
                "sheaf: a remote call needs a plain method, const or not: no reference behind its parameters, no "
                "volatile, no variable number of arguments, and no pointer to a data member");
};

/// A pointer to a method as one to a method of T, without noexcept.
template <class C, class R, class... A>
struct method_pointer<R (C::*)(A...)> {
  template <class T>
  using of = R (T::*)(A...);
  template <class T, class F>
  using with_callable = callable_invoker<T, F, A...>;
  using owner = C;
};
template <class C, class R, class... A>
struct method_pointer<R (C::*)(A...) const> : method_pointer<R (C::*)(A...)> {
  template <class T>
  using of = R (T::*)(A...) const;
};
template <class C, class R, class... A>
struct method_pointer<R (C::*)(A...) noexcept> : method_pointer<R (C::*)(A...)> {};
template <class C, class R, class... A>
struct method_pointer<R (C::*)(A...) const noexcept> : method_pointer<R (C::*)(A...) const> {};

/// A method of T that is named at compile time, and one that comes with the run.
template <class T, auto Method, class Signature>
struct method_invoker;
template <class T, class M>
struct pointer_invoker;

/// A pointer to Method may stand for a request that names it: the records are the same. Not where it is concurrent, as
/// requests through a pointer keep their order, nor where it has a companion for whole runs, which may be a base's.
template <template <class, class...> class Request, class T, auto Method, class S, class... Rest>
struct method_of_handler<Request<method_invoker<T, Method, S>, Rest...>> {
  using pointer = typename method_pointer<decltype(Method)>::template of<T>;
  static method_bits named() {
    pointer const own = Method;
    return bits_of(own);
  }
  static constexpr called_method found() {
    if constexpr (std::is_convertible_v<decltype(Method), pointer> && !concurrent<Method> &&
                  !takes_whole_runs<T, Method>)
      return {token_of<Request<pointer_invoker<T, pointer>, Rest...>>(), &named};
    else
      return {};
  }
  static constexpr called_method value = found();
};

template <template <class, class...> class Request, class T, class M, class... Rest>
struct method_of_handler<Request<pointer_invoker<T, M>, Rest...>> {
  static constexpr called_method value{token_of<Request<pointer_invoker<T, M>, Rest...>>(), nullptr};
};

/// What a request's record holds and what is done with it on an object of type T. Arguments travel by value: what a
/// reference parameter refers to lives until the method returns, or until the coroutine that it is ends.
template <class T, class R, class... A>
struct invoker_base {
  static constexpr bool prefetches = false;
  static constexpr bool is_concurrent = false;
  static constexpr bool takes_whole_runs = false;
  static constexpr bool at_once = false;
  using object = T;
  using result = std::remove_cvref_t<typename awaited_result<std::remove_cvref_t<R>>::type>;
  static constexpr bool is_coroutine = is_task<std::remove_cvref_t<R>>;
  /// A coroutine may use arguments taken by reference long after its request is gone.
  static constexpr bool refers_to_arguments = (std::is_reference_v<A> || ...);
  using arguments = std::tuple<std::decay_t<A>...>;
  using codec = arguments_codec<std::decay_t<A>...>;
  static_assert(((!std::is_lvalue_reference_v<A> || std::is_const_v<std::remove_reference_t<A>>)&&...),
                "sheaf: a remotely invoked method cannot have a parameter T&, since arguments travel by value; take it "
                "by value or by const&, and return what is to come back");
  static_assert(!std::is_pointer_v<R>,
                "sheaf: a remotely invoked method cannot return a pointer; return the value or a handle");
};

template <class T, auto Method, class Signature = decltype(Method)>
struct method_invoker {
  static_assert(sizeof(T) == 0,
                "sheaf: the template argument of a remote call must be a method, a function or a closure, as in "
                "async<&T::method>");
};

template <class T, auto Method, class C, class R, class... A>
struct method_invoker<T, Method, R (C::*)(A...)> : invoker_base<T, R, A...> {
  static_assert(std::is_base_of_v<C, T> || std::is_same_v<T, no_object>,
                "sheaf: the method of a remote call must be one of the object's class or of a base of it");
  static constexpr bool prefetches = !std::is_null_pointer_v<std::remove_cv_t<decltype(prefetch_for<Method>)>>;
  static constexpr bool is_concurrent = concurrent<Method>;
  static constexpr bool at_once = sheaf::at_once<Method> || all_at_once<T>;
  static_assert(
      !is_concurrent || !is_task<std::remove_cvref_t<R>>,
      "sheaf: a method that is declared concurrent cannot be a coroutine, whose parts run on its location's own "
      "thread; let it send what is to be awaited to another method");
  static constexpr bool takes_whole_runs =
      detail::takes_whole_runs<T, Method> && sizeof...(A) == 1 && (wire<std::decay_t<A>>.image && ...);
  static void call_run(T& object, std::byte const* from, std::size_t count) {
    (object.*T::whole_run(method_tag<Method>{}))(packed<std::decay_t<A>...>(from, count));
  }
  template <class... V>
  static void const* place(T& object, V&&... values) {
    return (object.*prefetch_for<Method>)(std::forward<V>(values)...);
  }
  template <class... V>
  static R call(T& object, V&&... values) {
    return (object.*Method)(std::forward<V>(values)...);
  }
};
template <class T, auto Method, class C, class R, class... A>
struct method_invoker<T, Method, R (C::*)(A...) const> : method_invoker<T, Method, R (C::*)(A...)> {};
template <class T, auto Method, class C, class R, class... A>
struct method_invoker<T, Method, R (C::*)(A...) noexcept> : method_invoker<T, Method, R (C::*)(A...)> {};
template <class T, auto Method, class C, class R, class... A>
struct method_invoker<T, Method, R (C::*)(A...) const noexcept> : method_invoker<T, Method, R (C::*)(A...)> {};

/// Calls f with the object in front; where there is none, with the team, if f takes that.
template <class T, class F, class... V>
decltype(auto) call_in_front(auto& object, F&& f, V&&... values) {
  if constexpr (!std::is_same_v<T, no_object>) {
    return f(object, std::forward<V>(values)...);
  } else if constexpr (std::is_invocable_v<F&, team, V...>) {
    return f(object.on(), std::forward<V>(values)...);
  } else {
    return f(std::forward<V>(values)...);
  }
}

/// The result type of call_in_front with values of the types A.
template <class T, class F, class... A>
auto result_in_front() {
  constexpr bool without = std::is_same_v<T, no_object>;
  if constexpr (!without && std::is_invocable_v<F&, T&, A...>) {
    return std::type_identity<std::invoke_result_t<F&, T&, A...>>();
  } else if constexpr (without && std::is_invocable_v<F&, team, A...>) {
    return std::type_identity<std::invoke_result_t<F&, team, A...>>();
  } else if constexpr (without && std::is_invocable_v<F&, A...>) {
    return std::type_identity<std::invoke_result_t<F&, A...>>();
  } else {
    static_assert(sizeof(F) == 0,
                  "sheaf: the callable of a remote call cannot be called as f(object, values...), or without an object "
                  "as f(values...) or f(team, values...); the values are copies, which a parameter T& does not take");
    return std::type_identity<void>();
  }
}
template <class T, class F, class... A>
using callable_result = typename decltype(result_in_front<T, F, A...>())::type;

/// A function, or a closure without captures, that is named at compile time. A: its parameters behind the object.
template <class T, auto F, class R, class... A>
struct constant_invoker : invoker_base<T, R, A...> {
  static constexpr bool is_concurrent = concurrent<F>;
  template <class... V>
  static R call(auto& object, V&&... values) {
    return call_in_front<T>(object, F, std::forward<V>(values)...);
  }
};

/// The parameters of a function behind the object; behind the team, or all, where there is no object.
template <class... P>
struct parameter_list {
  template <class T, auto F, class R>
  using with_constant = constant_invoker<T, F, R, P...>;
  template <class T, class F>
  using with_callable = callable_invoker<T, F, std::decay_t<P>...>;
};
template <class T, class... P>
struct behind_object : parameter_list<P...> {
  static_assert(std::is_same_v<T, no_object>, "sheaf: a function that is called on an object takes it first, as T&");
};
template <class T, class First, class... P>
requires std::is_convertible_v<T&, First>
struct behind_object<T, First, P...> : parameter_list<P...> {
};
template <class First, class... P>
requires std::is_same_v<std::remove_cvref_t<First>, team>
struct behind_object<no_object, First, P...> : parameter_list<P...> {
};

/// What `async<Method>` names, called with values of the types A.
template <class T, auto Method, class M, class... A>
struct named {
  static_assert(!std::is_same_v<T, no_object>,
                "sheaf: a call through a team names a method, for which there is no object; call it on one, as in "
                "object.async<&T::method>(rank), or give the handle of a published object in the rank's place");
  using invoker = method_invoker<T, Method>;
};
template <class T, auto Method, class M, class... A>
requires std::is_class_v<M>
struct named<T, Method, M, A...> {
  using invoker = constant_invoker<T, Method, callable_result<T, M const, A...>, A...>;
};
template <class T, auto Method, class R, class... P, class... A>
struct named<T, Method, R (*)(P...), A...> {
  using invoker = typename behind_object<T, P...>::template with_constant<T, Method, R>;
};

template <class T, auto Method, class R, class... P, class... A>
struct named<T, Method, R (*)(P...) noexcept, A...> : named<T, Method, R (*)(P...), A...> {};

/// A trivially copyable callable that travels as the first argument and is called with the object.
template <class T, class F, class... A>
struct callable_invoker : invoker_base<T, callable_result<T, F, A...>, F, A...> {
  // First: once g++ has looked for its assignments, it takes a closure with a constant member for not copyable.
  static_assert(wire<F>.image || !wire<F>.image);
  static constexpr bool refers_to_arguments = true;  // to its closure, and who knows what it takes by reference
  static_assert(std::is_trivially_copyable_v<F>,
                "sheaf: a callable sent to another location must be trivially copyable; capture plain values, pass the "
                "rest as arguments");
  template <class... V>
  static callable_result<T, F, A...> call(auto& object, F&& f, V&&... values) {
    return call_in_front<T>(object, f, std::forward<V>(values)...);
  }
};

template <class Invoker>
inline constexpr bool is_concurrent = Invoker::is_concurrent;

/// Calls a method that comes with its run.
template <class Invoker>
concept called_by_pointer = requires {
  Invoker::by_pointer;
};

/// The object of a run as its invoker calls it.
template <class Invoker>
decltype(auto) callee(location& here, void* object, execution const& state) {
  if constexpr (called_by_pointer<Invoker>) {
    return Invoker::bind(here, object, state);
  } else if constexpr (std::is_same_v<typename Invoker::object, no_object>) {
    return team_member{here, *state.team};
  } else {
    return *static_cast<typename Invoker::object*>(object);
  }
}

}  // namespace sheaf::detail
