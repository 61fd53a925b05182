// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <type_traits>

#include "sheaf/message/handler.hpp"
#include "sheaf/message/method_bits.hpp"
#include "sheaf/message/type_token.hpp"
#include "sheaf/rmi/concurrent.hpp"
#include "sheaf/rmi/whole_run.hpp"

namespace sheaf::detail {

template <class M>
struct method_pointer {
  static_assert(sizeof(M) == 0,
                "sheaf: a remote call needs a plain method, const or not: no reference behind its parameters, no "
                "volatile, no variable number of arguments, and no pointer to a data member");
};

/// The same pointer as one to a method of T; noexcept makes no difference.
template <class C, class R, class... A>
struct method_pointer<R (C::*)(A...)> {
  template <class T>
  using of = R (T::*)(A...);
  using owner = C;
};
template <class C, class R, class... A>
struct method_pointer<R (C::*)(A...) const> {
  template <class T>
  using of = R (T::*)(A...) const;
  using owner = C;
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

/// A pointer to Method may stand for a request that names it: the records are the same. Not where one would
/// see the difference: where the method is declared concurrent, since a request through a pointer keeps its order, and
/// where it has a companion for whole runs, which may be a base's, and skips the rest of a run when it throws.
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

}  // namespace sheaf::detail
