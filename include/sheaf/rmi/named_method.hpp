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

/// Compiles execution loops for all forms of requests that call `Method`. It needs only an explicit instantiation,
/// outside all namespaces:
///
///     template class sheaf::named_method<&till::pay>;
///
/// Requests through a pointer that turns out to be &till::pay then run in these loops, with its prefetch_for and
/// without an indirect call for each; and no record has to tell the destination which method it is. A call that names
/// the method does the same for its form of request. Both work only for pointers used in the same program or shared
/// library, and not for methods that are concurrent or have a companion for whole runs. `T` is the class of the
/// objects' handles: give it where the method is inherited. A library that names methods is never unloaded.
template <auto Method, class T = typename detail::method_pointer<decltype(Method)>::owner>
class named_method {
  using invoker = detail::method_invoker<T, Method>;
  static inline std::uint32_t const statements = detail::handler_number<detail::async_request<invoker>>;
  static inline std::uint32_t const questions = detail::numbers_of_questions<invoker>();
};

}  // namespace sheaf
