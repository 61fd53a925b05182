// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/message/detail/wire.hpp"

/// Compile-time messages for types that cannot travel. The compiler's trace shows the way to the culprit:
/// `explain<int*, member<2, node>>` is the second member of `node`, of type `int*`.
namespace sheaf::detail {

struct value {};
template <std::size_t Number>
struct argument {};
template <std::size_t Number, class Aggregate>
struct member {};
template <std::size_t Number, class Tuple>
struct element {};
template <class Container>
struct element_of {};

template <class T, class Where = value>
struct explain;

template <template <std::size_t, class> class Place, class Whole, std::size_t... I, class... M>
constexpr bool explain_all(type_list<M...>, std::index_sequence<I...>) {
  return (explain<std::remove_const_t<M>, Place<I + 1, Whole>>::done && ...);
}

template <class T>
struct explain_inside {
  static constexpr bool run() {
    if constexpr (requires { typename T::value_type; }) {
      return explain<std::remove_const_t<typename T::value_type>, element_of<T>>::done;
    } else {
      using members = members_of<T>;
      return [&]<class... M>(type_list<M...> list) {
        return explain_all<member, T>(list, std::index_sequence_for<M...>{});
      }(members{});
    }
  }
};
template <class E, std::size_t N>
struct explain_inside<E[N]> {
  static constexpr bool run() { return explain<std::remove_const_t<E>, element_of<E[N]>>::done; }
};
template <class... M>
struct explain_inside<std::tuple<M...>> {
  static constexpr bool run() {
    return explain_all<element, std::tuple<M...>>(type_list<M...>{}, std::index_sequence_for<M...>{});
  }
};
template <class A, class B>
struct explain_inside<std::pair<A, B>> {
  static constexpr bool run() {
    return explain_all<element, std::pair<A, B>>(type_list<A, B>{}, std::index_sequence<0, 1>{});
  }
};

template <class T, class Where>
struct explain {
  static constexpr hindrance why = wire<T>.why;

  static_assert(why != hindrance::reference,
                "sheaf: this type cannot travel: it is a reference; pass the value or a handle");
  static_assert(why != hindrance::pointer,
                "sheaf: this type cannot travel: it is a pointer; pass the value or a handle");
  static_assert(why != hindrance::member_pointer,
                "sheaf: this type cannot travel: it is a pointer to a member; name the member at compile time");
  static_assert(why != hindrance::function,
                "sheaf: this type cannot travel: it is a function or void; pass a callable object");
  static_assert(why != hindrance::view,
                "sheaf: this type cannot travel: it refers to memory of this location (string_view, span, "
                "reference_wrapper …); pass a std::string, a std::vector or a handle");
  static_assert(why != hindrance::pointer_like,
                "sheaf: this type cannot travel: it points to memory of this location (it has operator->); pass the "
                "value or a handle, or specialise sheaf::codec or sheaf::travels_as_bytes for it");
  static_assert(why != hindrance::variant,
                "sheaf: this type cannot travel: it is a variant without a codec; specialise sheaf::codec for it");
  static_assert(why != hindrance::volatility,
                "sheaf: this type cannot travel: it is volatile; pass a copy that is not");
  static_assert(why != hindrance::aggregate_shape,
                "sheaf: this type cannot travel: it is an aggregate with a base class, with more than 24 members, or "
                "with an array beside a member that has no default; specialise sheaf::codec for it");
  static_assert(why != hindrance::custom_shape,
                "sheaf: this type cannot travel: its sheaf::codec lacks one of size(T const&), "
                "encode(byte_writer&, T const&), T decode(byte_reader&)");
  static_assert(why != hindrance::unknown,
                "sheaf: this type cannot travel: it is neither copied as bytes, nor an aggregate, nor a known "
                "container; specialise sheaf::codec for it");

  static constexpr bool inside() {
    if constexpr (why == hindrance::inside) {
      return explain_inside<T>::run();
    } else {
      return true;
    }
  }
  static constexpr bool done = inside();
};

}  // namespace sheaf::detail
