// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>

#include "sheaf/rmi/detail/target.hpp"

namespace sheaf {

namespace detail {

template <class Invoker>
std::uint32_t numbers_of_questions() {
  using result = typename Invoker::result;
  std::uint32_t any = 0;
  if constexpr (codec_type<stored<result>>) {
    any |= handler_number<answered_request<Invoker>> | handler_number<promised_request<Invoker>>;
    if constexpr (!std::is_void_v<result> && has_slots<stored<result>>)
      any |= handler_number<windowed_request<Invoker>>;
  }
  return any;
}

}  // namespace detail

/// Compiles loops of its own for the requests that call `Method`, of all forms. An explicit instantiation, outside all
/// namespaces, is all:
///
///     template class sheaf::named_method<&till::pay>;
///
/// Requests through a pointer that turns out to be &till::pay then run in these loops, with its prefetch_for and
/// without an indirect call for each; and no record has to tell the destination which method it is. A call that names
/// the method does the same for requests of its form. Both only for pointers that are used in the same program or
/// shared library, and not to methods that are declared concurrent or have a companion for whole runs. `T` is the class
/// of the objects' handles: say it where the method is inherited. A library that names methods stays loaded.
template <auto Method, class T = typename detail::method_pointer<decltype(Method)>::owner>
class named_method {
  using invoker = detail::method_invoker<T, Method>;
  static inline std::uint32_t const statements = detail::handler_number<detail::async_request<invoker>>;
  static inline std::uint32_t const questions = detail::numbers_of_questions<invoker>();
};

}  // namespace sheaf
