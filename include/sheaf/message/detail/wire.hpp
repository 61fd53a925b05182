// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/message/byte_reader.hpp"
#include "sheaf/message/byte_writer.hpp"
#include "sheaf/message/detail/members.hpp"
#include "sheaf/message/detail/shapes.hpp"
#include "sheaf/message/travels_as_bytes.hpp"

namespace sheaf {
template <class T>
struct codec;
}

/// How each type travels, or what hinders it: `wire<T>`, one constant per type.
namespace sheaf::detail {

enum class wire_kind {
  none,         // cannot travel
  empty,        // no state, no bytes
  boolean,      // one byte, any value but 0 is true
  bytes,        // its memory image
  array,        // each element
  product,      // each element of a pair or tuple
  aggregate,    // each member
  sequence,     // count, elements
  associative,  // count, elements
  optional,     // boolean, value
  custom        // by the user's codec
};

enum class hindrance {
  none,
  reference,
  pointer,
  member_pointer,
  function,
  view,
  pointer_like,
  variant,
  inside,  // a member or an element cannot travel
  volatility,
  aggregate_shape,
  custom_shape,
  unknown
};

struct wire_traits {
  wire_kind kind = wire_kind::none;
  hindrance why = hindrance::none;
  std::size_t least = 0;  // no encoding is shorter
  bool fixed = false;     // every encoding has `least` bytes
  bool image = false;     // the encoding is the object's memory; then sizeof(T) == least, or the kind is empty
};

constexpr wire_traits hindered(hindrance why) { return {wire_kind::none, why}; }

template <class T>
consteval wire_traits classify();

template <class T>
inline constexpr wire_traits wire = classify<T>();

template <class... T>
consteval wire_traits wire_of_all(wire_kind kind) {
  if constexpr (((wire<std::remove_const_t<T>>.why != hindrance::none) || ...)) {
    return hindered(hindrance::inside);
  } else {
    return {kind, hindrance::none, (wire<std::remove_const_t<T>>.least + ... + 0),
            (wire<std::remove_const_t<T>>.fixed && ...), (wire<std::remove_const_t<T>>.image && ...)};
  }
}

template <class T>
consteval wire_traits wire_of_bytes() {
  return {wire_kind::bytes, hindrance::none, sizeof(T), true, true};
}

/// A container or an optional: one byte or more, then elements.
template <class T>
consteval wire_traits wire_of_holder(wire_kind kind) {
  if constexpr (wire<std::remove_const_t<typename T::value_type>>.why != hindrance::none)
    return hindered(hindrance::inside);
  return {kind, hindrance::none, 1};
}

template <class E, std::size_t N>
consteval wire_traits wire_of_array() {
  constexpr wire_traits element = wire<std::remove_const_t<E>>;
  if constexpr (element.why != hindrance::none) {
    return hindered(hindrance::inside);
  } else if constexpr (element.image) {
    return {wire_kind::bytes, hindrance::none, N * sizeof(E), true, true};
  } else {
    return {wire_kind::array, hindrance::none, N * element.least, element.fixed};
  }
}

template <class T>
struct known_shape {
  static constexpr bool known = false;
};
template <class E, std::size_t N>
struct known_shape<E[N]> {
  static constexpr bool known = true;
  static consteval wire_traits wire() { return wire_of_array<E, N>(); }
};
template <class E, std::size_t N>
struct known_shape<std::array<E, N>> : known_shape<E[N]> {};
template <class E>
struct known_shape<std::array<E, 0>> {
  static constexpr bool known = true;
  static consteval wire_traits wire() { return {wire_kind::empty, hindrance::none, 0, true, true}; }
};
template <class... T>
struct known_shape<std::tuple<T...>> {
  static constexpr bool known = true;
  static consteval wire_traits wire() {
    wire_traits result = wire_of_all<T...>(wire_kind::product);
    result.image = false;  // the encoding has neither padding nor the tuple's order in memory
    return result;
  }
};
template <class A, class B>
struct known_shape<std::pair<A, B>> : known_shape<std::tuple<A, B>> {};

template <class T>
concept has_own_codec = !requires {
  typename codec<T>::is_the_librarys;
};

template <class T>
concept own_codec_complete = requires(T const& value, byte_writer& to, byte_reader& from) {
  { codec<T>::size(value) } -> std::convertible_to<std::size_t>;
  codec<T>::encode(to, value);
  { codec<T>::decode(from) } -> std::same_as<T>;
};

template <class T, class... M>
consteval wire_traits wire_of_members(type_list<M...>) {
  constexpr bool trivial = std::is_trivially_copyable_v<T>;
  if constexpr (sizeof...(M) == 0) {
    return trivial ? wire_of_bytes<T>() : hindered(hindrance::aggregate_shape);
  } else {
    wire_traits result = wire_of_all<M...>(wire_kind::aggregate);
    if (trivial && result.image) return wire_of_bytes<T>();
    result.image = false;
    return result;
  }
}

template <class T>
consteval wire_traits classify_class() {
  constexpr bool trivial = std::is_trivially_copyable_v<T>;
  if constexpr (trivial && std::is_empty_v<T>)
    return {wire_kind::empty, hindrance::none, 0, true, true};
  else if constexpr (known_shape<T>::known)
    return known_shape<T>::wire();
  else if constexpr (view<T>)
    return hindered(hindrance::view);
  else if constexpr (sequence<T>)
    return wire_of_holder<T>(wire_kind::sequence);
  else if constexpr (associative<T>)
    return wire_of_holder<T>(wire_kind::associative);
  else if constexpr (optional<T>)
    return wire_of_holder<T>(wire_kind::optional);
  else if constexpr (variant<T>)
    return hindered(hindrance::variant);
  else if constexpr (pointer_like<T>)
    return hindered(hindrance::pointer_like);
  else if constexpr (std::is_aggregate_v<T> && !std::is_union_v<T>)
    return wire_of_members<T>(members_of<T>{});
  else if constexpr (trivial && std::is_move_constructible_v<T>)
    return wire_of_bytes<T>();
  else
    return hindered(hindrance::unknown);
}

template <class T>
consteval wire_traits classify_scalar() {
  if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>)
    return hindered(hindrance::pointer);
  else if constexpr (std::is_member_pointer_v<T>)
    return hindered(hindrance::member_pointer);
  else if constexpr (std::is_same_v<T, bool>)
    return {wire_kind::boolean, hindrance::none, 1, true};
  else
    return wire_of_bytes<T>();
}

template <class T>
consteval wire_traits classify_enum() {
  return classify_scalar<std::underlying_type_t<T>>();
}

template <class T>
consteval wire_traits classify() {
  if constexpr (std::is_reference_v<T>)
    return hindered(hindrance::reference);
  else if constexpr (std::is_volatile_v<T>)
    return hindered(hindrance::volatility);
  else if constexpr (std::is_function_v<T> || std::is_void_v<T>)
    return hindered(hindrance::function);
  else if constexpr (std::is_bounded_array_v<T>)
    return known_shape<T>::wire();
  else if constexpr (std::is_unbounded_array_v<T>)
    return hindered(hindrance::pointer);
  else if constexpr (std::is_abstract_v<T>)
    return hindered(hindrance::unknown);
  else if constexpr (has_own_codec<T> && own_codec_complete<T>)
    return {wire_kind::custom};
  else if constexpr (has_own_codec<T>)
    return hindered(hindrance::custom_shape);
  else if constexpr (travels_as_bytes<T> && std::is_trivially_copyable_v<T>)
    return wire_of_bytes<T>();
  else if constexpr (std::is_enum_v<T>)
    return classify_enum<T>();
  else if constexpr (std::is_class_v<T> || std::is_union_v<T>)
    return classify_class<T>();
  else
    return classify_scalar<T>();
}

}  // namespace sheaf::detail
