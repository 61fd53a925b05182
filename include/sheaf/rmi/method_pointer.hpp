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
  template <class R>
  constexpr auto operator()(R (*function)(P...)) const noexcept {
    return function;
  }
};

}  // namespace detail

/// Picks one of several methods, or functions, of a name by its parameters:
/// `object.async<sheaf::overload<int>(&T::add)>(rank, 5)`. It picks none of two that differ only in const; cast then.
template <class... P>
inline constexpr detail::overload_picker<P...> overload{};

namespace detail {

/// Calls the method that the request's run names. One invoker per object type and signature. `M` is a pointer to a
/// method of T. (-fsanitize=vptr would report a call of a base's method.)
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

/// What a request needs of a method of T that is chosen at run time.
template <class T, class M>
struct chosen_method {
  using pointer = typename method_pointer<M>::template of<T>;
  using invoker = pointer_invoker<T, pointer>;
  static constexpr bool is_of_t = std::is_base_of_v<typename method_pointer<M>::owner, T>;
  static_assert(is_of_t, "sheaf: the method of a remote call must be one of the object's class or of a base of it");

  /// If M is a method of a base, the pointer is converted to one of T.
  static method_bits bits(M method) {
    if constexpr (is_of_t) {
      static_assert(std::is_convertible_v<M, pointer>,
                    "sheaf: a method of a virtual or ambiguous base cannot be called through a pointer; name it at "
                    "compile time, as in async<&T::method>");
      pointer const own = method;
      return bits_of(own);
    }
    return {};
  }
};

/// A pointer to a method of T (an M), as a callable that anybody may send on: each record holds what the pointer means
/// in all processes. For calls to a whole team, which go through other members.
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

/// A pointer to a function, as a callable that anybody may send on: each record holds what it means in all processes.
/// An odd address is written as the even one below it plus 1, since odd words mean virtual methods.
template <class F>
class travelling_function {
 public:
  /// Throws usage_error for what is no function of this program or of its libraries.
  travelling_function(F function)  // NOLINT(google-explicit-constructor)
      : code_(ambient_location->calls().methods.depart(*ambient_location, bits_of_function(function), 2)) {}

  template <class... V>
  decltype(auto) operator()(V&&... values) const requires std::is_invocable_v<F, V...> {
    return at_home()(std::forward<V>(values)...);
  }

 private:
  static method_bits bits_of_function(F function) {
    auto address = reinterpret_cast<std::uintptr_t>(function);
    asm("" : "+r"(address));  // else compilers assume an even address for a function that they know
    return {address & ~std::uintptr_t{1}, static_cast<std::int64_t>(address & 1)};
  }
  [[nodiscard]] F at_home() const {
    location& here = *ambient_location;
    admission const inside(here.gate());
    method_bits const found = here.calls().methods.arrive(code_, nullptr, 2, false);
    return reinterpret_cast<F>(found.word + static_cast<std::uint64_t>(found.adjustment));
  }

  travelling_bits code_;
};

}  // namespace detail
}  // namespace sheaf
