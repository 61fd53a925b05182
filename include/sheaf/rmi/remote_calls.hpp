// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sheaf/rmi/detail/broadcasting.hpp"
#include "sheaf/rmi/detail/reducing.hpp"
#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/verbs.hpp"

namespace sheaf {

/// What verbs::bind returns. Only the location that made it may use it, while the object is registered.
template <class Invoker>
class bound_call {
 public:
  bound_call(detail::target const& to, run_tag tag) : to_(to), tag_(tag) {}

  /// As async of that method.
  template <class... A>
  void operator()(located<std::uint64_t> dest, A&&... a) const {
    to_.template async_as<detail::resolved<Invoker>>(tag_, dest, std::forward<A>(a)...);
  }

 private:
  detail::target to_;
  run_tag tag_;
};

inline detail::target team::target_of(char const*, call_site from) const {
  return {detail::state_of(*this, from), run_tag(0, 0, id_)};
}

namespace detail {

// The bodies of the verbs (runtime/verbs.hpp). Each class `Where` has `target_of(verb, from)`.

template <class Where, class T>
template <auto... What, class... A>
inline void verbs<Where, T>::async(destination dest, A&&... a) const {
  where().target_of("async", dest.from).template async<T, What...>(dest, std::forward<A>(a)...);
}

template <class Where, class T>
template <auto... What, class Whom, class... A>
inline void verbs<Where, T>::async(addressed<Whom> whom, A&&... a) const {
  auto const& to = where().target_of("async", whom.from);
  if constexpr (Whom::in_order) {
    each_member(to, Whom::caller_too, whom.from,
                [&](located<std::uint64_t> dest) { to.template async<T, What...>(dest, std::as_const(a)...); });
  } else {
    using invoker = called_by_team<T, methods<What...>, A...>;
    broadcast<invoker, Whom::caller_too>(to, whom.from, std::forward<A>(a)...);
  }
}

template <class Where, class T>
template <auto... What, class... A>
inline bool verbs<Where, T>::try_async(destination dest, A&&... a) const {
  auto const& to = where().target_of("try_async", dest.from);
  return to.template try_async<T, What...>(dest, std::forward<A>(a)...);
}

template <class Where, class T>
template <auto What>
inline auto verbs<Where, T>::bind(call_site from) const {
  static_assert(!std::is_class_v<decltype(What)>,
                "sheaf: bind takes a method or a function: without arguments it cannot know a closure's parameters; "
                "name a function, or call async<closure>(rank, ...)");
  using what = called<T, methods<What>>;
  target const to = where().target_of("bind", from);
  return bound_call<typename what::invoker>(to, what::template tag<async_request<typename what::invoker>>(to));
}
template <class Where, class T>
template <class Pointer>
inline auto verbs<Where, T>::bind(Pointer method, call_site from) const {
  static_assert(
      std::is_member_function_pointer_v<Pointer>,
      "sheaf: bind takes a pointer to a method; what else is called is named at compile time, as in bind<&f>()");
  using what = called<T, methods<>, Pointer>;
  target const to = where().target_of("bind", from);
  return bound_call<typename what::invoker>(to, what::template tag<async_request<typename what::invoker>>(to, method));
}

template <class Where, class T>
template <auto... What, class... A>
inline auto verbs<Where, T>::sync(destination dest, A&&... a) const {
  return where().target_of("sync", dest.from).template sync<T, What...>(dest, std::forward<A>(a)...);
}

template <class Where, class T>
template <auto... What, class... A>
inline auto verbs<Where, T>::ask(destination dest, A&&... a) const {
  return where().target_of("ask", dest.from).template ask<T, What...>(dest, std::forward<A>(a)...);
}

template <class Where, class T>
template <auto... What, class... A>
inline auto verbs<Where, T>::ask(addressed<to_all_members> whom, A&&... a) const {
  using invoker = called_by_team<T, methods<What...>, A...>;
  auto const& to = where().target_of("ask", whom.from);
  return ask_team<invoker>("ask", to, whom.from, collecting<typename invoker::result>{}, std::forward<A>(a)...);
}

template <class Where, class T>
template <auto... What, class Op, class... A>
inline auto verbs<Where, T>::reduce(addressed<to_all_members> whom, Op op, A&&... a) const {
  using invoker = called_by_team<T, methods<What...>, A...>;
  auto const& to = where().target_of("reduce", whom.from);
  return ask_team<invoker>("reduce", to, whom.from, reducing<typename invoker::result, Op>{op}, std::forward<A>(a)...);
}

template <class Where, class T>
template <auto... What, class R, class... A>
inline void verbs<Where, T>::ask_into(destination dest, reply_window<R>& window, std::uint32_t slot, A&&... a) const {
  using invoker = typename called<T, methods<What...>, A...>::invoker;
  static_assert(std::is_same_v<typename invoker::result, R>, "sheaf: the method's result is not the window's type");
  auto const& to = where().target_of("ask_into", dest.from);
  to.template ask_into<T, What...>(dest, window.question(to.members(), slot, dest.from), std::forward<A>(a)...);
}

}  // namespace detail
}  // namespace sheaf
