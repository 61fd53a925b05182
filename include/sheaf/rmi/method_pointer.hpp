// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sheaf/base/ambient.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/method_table.hpp"
#include "sheaf/rmi/detail/request.hpp"

namespace sheaf {

namespace detail {

template <class... P>
struct overload_picker {
  template <class C, class R>
  constexpr auto operator()(R (C::*method)(P...)) const noexcept {
    return method;
  }
  template <class C, class R>
  constexpr auto operator()(R (C::*method)(P...) const) const noexcept {
    return method;
  }
};

}  // namespace detail

/// Picks one of several methods of a name by its parameters: `async_rmi(dest, object, sheaf::overload<int>(&T::add),
/// 5)`. Of two that differ only in const it takes neither; cast then.
template <class... P>
inline constexpr detail::overload_picker<P...> overload{};

namespace detail {

/// Calls a method that the request's run names. One for each type of object and signature. `M` is a pointer to a method
/// of T. (-fsanitize=vptr would report a call of a base's method.)
template <class T, class M>
struct pointer_invoker;

template <class T, class M>
struct bound_method {
  T& object;
  M method;
};

template <class M>
M method_of_bits(method_bits const& bits) {
  M method;
  std::memcpy(&method, &bits, sizeof method);
  return method;
}

template <class T, class M, class R>
struct bound_by_pointer {
  static constexpr bool by_pointer = true;
  static bound_method<T, M> bind(location& here, void* object, execution const& state) {
    admission const inside(here.gate());
    return {*static_cast<T*>(object), method_of_bits<M>(here.calls().methods.method_of(
                                          *state.handler, object, sizeof(T), std::is_polymorphic_v<T>))};
  }
  template <class... V>
  __attribute__((no_sanitize("vptr"))) static R call(bound_method<T, M> const& to, V&&... values) {
    return (to.object.*to.method)(std::forward<V>(values)...);
  }
};

template <class T, class R, class... A>
struct pointer_invoker<T, R (T::*)(A...)> : invoker_base<T, R, A...>, bound_by_pointer<T, R (T::*)(A...), R> {};
template <class T, class R, class... A>
struct pointer_invoker<T, R (T::*)(A...) const> : invoker_base<T, R, A...>,
                                                  bound_by_pointer<T, R (T::*)(A...) const, R> {};

/// A method whose signature is known by the arguments of its request alone.
struct erased_method {
  std::uint32_t handler = 0;  ///< of asynchronous requests
  method_bits bits;
  std::size_t object_bytes = 0;
};

/// A method of T, chosen at run time: what a request needs of it.
template <class T, class M>
struct chosen_method {
  using pointer = typename method_pointer<M>::template of<T>;
  using invoker = pointer_invoker<T, pointer>;
  static constexpr bool is_of_t = std::is_base_of_v<typename method_pointer<M>::owner, T>;
  static_assert(is_of_t, "sheaf: the method of a remote call must be one of the object's class or of a base of it");

  /// Where M is of a base, the pointer is adjusted to it.
  static method_bits bits(M method) {
    if constexpr (is_of_t) {
      static_assert(std::is_convertible_v<M, pointer>,
                    "sheaf: a method of a virtual or ambiguous base cannot be called through a pointer; name it at "
                    "compile time, as in async_rmi<&T::method>");
      pointer const own = method;
      return bits_of(own);
    }
    return {};
  }
};

/// What a compiler names where a remote call is given an overloaded method, and none of the methods takes exactly these
/// arguments (by value, or all by reference to const): choose one, with sheaf::overload<Parameters...>(&T::method).
template <class T, class... A>
class overload_for_exactly_these_arguments_else_use_sheaf_overload {
 public:
  template <class C, class R>
  overload_for_exactly_these_arguments_else_use_sheaf_overload(R (C::*chosen)(A...)) : method_(erased(chosen)) {}
  template <class C, class R>
  overload_for_exactly_these_arguments_else_use_sheaf_overload(R (C::*chosen)(A...) const) : method_(erased(chosen)) {}
  template <class C, class R>
  requires(sizeof...(A) != 0) overload_for_exactly_these_arguments_else_use_sheaf_overload(R (C::*chosen)(A const&...))
      : method_(erased(chosen)) {}
  template <class C, class R>
  requires(sizeof...(A) != 0)
      overload_for_exactly_these_arguments_else_use_sheaf_overload(R (C::*chosen)(A const&...) const)
      : method_(erased(chosen)) {}

  [[nodiscard]] erased_method const& method() const { return method_; }

 private:
  template <class M>
  static erased_method erased(M method) {
    using chosen = chosen_method<T, M>;
    return {handler_number<async_request<typename chosen::invoker>>, chosen::bits(method), sizeof(T)};
  }

  erased_method method_;
};

/// What a call that wants the result names in its error for an overloaded method: the arguments do not tell the result.
class for_an_overloaded_method_use_sheaf_overload {
  for_an_overloaded_method_use_sheaf_overload() = default;
};

/// A method of T that a pointer names, as a callable that may be sent to anybody and on from there: each record holds
/// what the pointer, an M, means in all processes. For calls to a whole team, whose requests take many ways.
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
    return method_of_bits<M>(here.calls().methods.arrive(code_, object, sizeof(T), std::is_polymorphic_v<T>));
  }

  travelling_bits code_;
};

/// The invoker of a whole team for a pointer to a method.
template <class T, class F>
using travelling_invoker = typename method_pointer<F>::template with_callable<
    T, travelling_method<T, typename method_pointer<F>::template of<T>>>;

}  // namespace detail
}  // namespace sheaf
