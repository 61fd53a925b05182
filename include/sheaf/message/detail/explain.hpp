// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/message/detail/wire.hpp"

/// Compile-time messages for types that cannot travel. The compiler's trace shows the way to the culprit:
/// `explain<int*, member<2, node, (& … node::next)>>` is the second member of `node`, `next`, of type `int*`. Without
/// the name: members of classes with a reference, a bit-field or a volatile member, and all with Clang before 18.
namespace sheaf::detail {

struct value {};
template <std::size_t Number>
struct argument {};
template <std::size_t Number, class Aggregate, auto*... Name>
struct member {};
template <std::size_t Number, class Tuple>
struct element {};
template <class Container>
struct element_of {};

template <class T, class Where = value>
struct explain;

/// An object that is never made. The addresses of its members have their names.
template <class T>
union unmade {
  char nothing;
  T it;
  constexpr unmade() : nothing() {}
  constexpr ~unmade() {}
};
template <class T>
inline constexpr unmade<T> some{};

template <class T, std::size_t I>
constexpr auto const* address_of_member() {
  return with_members(some<T>.it,
                      [](auto const&... all) { return std::get<I - 1>(std::tuple(__builtin_addressof(all)...)); });
}

#if !defined(__clang__) || __clang_major__ >= 18
template <class T, std::size_t I>
concept has_name = requires {
  typename member<I, T, address_of_member<T, I>()>;
};
#else
template <class, std::size_t>
concept has_name = false;
#endif

template <class T, std::size_t I>
consteval auto member_of() {
  if constexpr (has_name<T, I>)
    return member<I, T, address_of_member<T, I>()>{};
  else
    return member<I, T>{};
}

template <class T, std::size_t I>
consteval auto place_in() {
  constexpr wire_kind kind = wire<T>.kind;
  if constexpr (kind == wire_kind::aggregate)
    return member_of<T, I>();
  else if constexpr (kind == wire_kind::product || kind == wire_kind::variant || kind == wire_kind::expected)
    return element<I, T>{};
  else
    return element_of<T>{};
}

template <class Whole, class... P, std::size_t... I>
constexpr bool explain_all(type_list<P...>, std::index_sequence<I...>) {
  return (explain<std::remove_const_t<P>, decltype(place_in<Whole, I + 1>())>::done && ...);
}

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
                "value or a handle, or specialise sheaf::codec or sheaf::travels_as_bytes for it; for std::unique_ptr, "
                "std::shared_ptr and std::weak_ptr include sheaf/std.hpp");
  static_assert(why != hindrance::place,
                "sheaf: this type cannot travel: it holds an address of this location in private (an iterator, "
                "std::error_code, std::type_index …); pass what it stands for, or specialise sheaf::codec or "
                "sheaf::travels_as_bytes for it");
  static_assert(
      why != hindrance::order,
      "sheaf: this type cannot travel: its comparison or hash has a state (a function pointer, a "
      "std::function, a capture) that the receiver does not have; use a class with operator() and no members");
  static_assert(why != hindrance::defined_shape,
                "sheaf: this type cannot travel: a class with define_type needs a default constructor, to be read "
                "into, and a move or copy constructor; or specialise sheaf::codec for it");
  static_assert(why != hindrance::inherited_define,
                "sheaf: this type cannot travel: its define_type is a base's, which does not know its own members; "
                "give it a define_type that calls the base's first");
  static_assert(why != hindrance::polymorphic_pointee,
                "sheaf: this type cannot travel: it points to a polymorphic class, whose object may be of a derived "
                "class that the receiver does not know; make the class final, or send a std::variant of the classes");
  static_assert(why != hindrance::array_pointer,
                "sheaf: this type cannot travel: it points to an array whose length it does not know; use a "
                "std::vector, or a class with define_type that names dynamic(pointer, length)");
  static_assert(why != hindrance::deleter,
                "sheaf: this type cannot travel: its deleter is not the default one; use the default one, or "
                "specialise sheaf::codec for it");
  static_assert(
      why != hindrance::variant,
      "sheaf: this type cannot travel: it is not a std::variant, or an alternative cannot be moved; specialise "
      "sheaf::codec for it");
  static_assert(why != hindrance::volatility,
                "sheaf: this type cannot travel: it is volatile; pass a copy that is not");
  static_assert(why != hindrance::aggregate_shape,
                "sheaf: this type cannot travel: it is an aggregate with a base class, with more than 24 members, or "
                "with an array beside a member that has no default; give it a method define_type(sheaf::typer&), or "
                "specialise sheaf::codec for it");
  static_assert(why != hindrance::custom_shape,
                "sheaf: this type cannot travel: its sheaf::codec lacks one of size(T const&), "
                "encode(byte_writer&, T const&), T decode(byte_reader&)");
  static_assert(why != hindrance::unknown,
                "sheaf: this type cannot travel: it is neither copied as bytes, nor an aggregate, nor a known "
                "container; give it a method define_type(sheaf::typer&), or specialise sheaf::codec for it");

  static constexpr bool inside() {
    if constexpr (why == hindrance::none && !reach_of<T>.travels)
      return []<class... P>(type_list<P...> parts) {
        return explain_all<T>(parts, std::index_sequence_for<P...>{});
      }(parts_of<T>{});
    else
      return true;
  }
  static constexpr bool done = inside();
};

}  // namespace sheaf::detail
