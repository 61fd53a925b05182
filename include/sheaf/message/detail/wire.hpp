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
#include "sheaf/message/typer.hpp"

namespace sheaf {
template <class T>
struct codec;
}

/// How each type travels, or what hinders it: `wire<T>`, which says nothing of what a container or a pointer holds.
namespace sheaf::detail {

/// The bytes of an object of T.
template <class T>
struct memory_image {
  unsigned char bytes[sizeof(T)];

  static constexpr memory_image with(std::size_t place, unsigned char value) {
    memory_image all{};
    all.bytes[place] = value;
    return all;
  }
};

template <class T, std::size_t Place, unsigned char Value>
concept constant_byte = requires {
  typename std::bool_constant<(static_cast<void>(__builtin_bit_cast(T, memory_image<T>::with(Place, Value))), true)>;
};

template <class T, std::size_t Place, unsigned char Value>
concept changed_byte = requires {
  typename std::enable_if_t<
      __builtin_bit_cast(memory_image<T>, __builtin_bit_cast(T, memory_image<T>::with(Place, Value))).bytes[Place] !=
      Value>;
};

template <class T, std::size_t Place>
inline constexpr bool is_bool_place = constant_byte<T, Place, 1> && !changed_byte<T, Place, 1> &&
                                      (!constant_byte<T, Place, 2> || changed_byte<T, Place, 2>);

/// Where the bools are in a trivially copyable class that cannot be taken apart, such as a closure: a byte of 2 there
/// is no constant expression (Clang), or reads back as another one (GCC). What the compiler does not look into (GCC: a
/// class without a constexpr constructor; pointers, unions, bit-fields) is taken to have none.
template <class T>
consteval auto bool_places() {
  constexpr std::size_t most = 256;  // of larger classes: none, which saves time to compile
  std::array<bool, sizeof(T)> places{};
  if constexpr (sizeof(T) <= most && constant_byte<T, 0, 0>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((places[I] = is_bool_place<T, I>), ...); }
    (std::make_index_sequence<sizeof(T)>{});
  }
  return places;
}

template <class T>
inline constexpr bool has_bools = bool_places<T>() != std::array<bool, sizeof(T)>{};

enum class wire_kind {
  none,         // cannot travel
  empty,        // no state, no bytes
  boolean,      // one byte, any value but 0 is true
  bytes,        // its memory image; bools that are known to be in it become 0 or 1
  bits,         // the memory image of a bitset
  array,        // each element
  product,      // each element of a pair or tuple
  aggregate,    // each member
  sequence,     // count, elements
  forward,      // the same, for a singly linked list
  numeric,      // the same, for a valarray
  associative,  // the same, for sets and maps
  adaptor,      // the container inside
  path,         // its string
  optional,     // boolean, value
  expected,     // boolean, value or error
  variant,      // number, value
  owner,        // boolean, value: a pointer that alone owns
  shared,       // number, value where it is a new object: a pointer that owns with others
  weak,         // the same
  defined,      // by its define_type
  custom        // by the user's codec
};

/// Why a type itself cannot travel; for what it contains, see `reach_of`.
enum class hindrance {
  none,
  reference,
  pointer,
  member_pointer,
  function,
  view,
  place,
  pointer_like,
  variant,
  order,
  volatility,
  aggregate_shape,
  custom_shape,
  defined_shape,
  inherited_define,
  polymorphic_pointee,
  array_pointer,
  deleter,
  unknown
};

struct wire_traits {
  wire_kind kind = wire_kind::none;
  hindrance why = hindrance::none;
  std::size_t least = 0;  // no encoding is shorter
  bool fixed = false;     // every encoding has `least` bytes
  bool image = false;     // the encoding is the object's memory; then sizeof(T) == least, or the kind is empty
};

/// How a type travels, and the types that its encoding is made of.
template <class... Part>
struct shape {
  wire_traits wire;
  using parts = type_list<Part...>;
};

constexpr shape<> hindered(hindrance why) { return {{wire_kind::none, why}}; }

template <class T>
consteval auto classify();

template <class T>
inline constexpr wire_traits wire = classify<T>().wire;

template <class T>
using parts_of = typename decltype(classify<T>())::parts;

/// Never an image: the encoding has neither padding nor a tuple's order in memory.
template <class... T>
consteval shape<T...> shape_of_all(wire_kind kind) {
  return {{kind, hindrance::none, (wire<std::remove_const_t<T>>.least + ... + 0),
           (wire<std::remove_const_t<T>>.fixed && ...)}};
}

template <class T>
consteval shape<> shape_of_bytes() {
  return {{wire_kind::bytes, hindrance::none, sizeof(T), true, true}};
}

/// A class whose members are not known. One with bools is not copied as it is where it arrives.
template <class T>
consteval shape<> shape_of_opaque() {
  return {{wire_kind::bytes, hindrance::none, sizeof(T), true, !has_bools<T>}};
}

/// One byte or more, then values, whose types are not looked at here: they may contain T.
template <class... Part>
consteval shape<Part...> holder(wire_kind kind, type_list<Part...> = {}) {
  return {{kind, hindrance::none, 1}};
}

template <class T, class Part>
consteval shape<Part> ordered_holder(wire_kind kind) {
  if (!has_stateless_order<T>()) return {hindered(hindrance::order).wire};
  return holder<Part>(kind);
}

template <class V, class E>
consteval auto value_or_error() {
  if constexpr (std::is_void_v<V>)
    return holder<E>(wire_kind::expected);
  else
    return holder<V, E>(wire_kind::expected);
}

/// Types known by name. sheaf/std.hpp adds some.
template <class T>
struct known_shape : std::false_type {};
template <class E, std::size_t N>
struct known_shape<E[N]> : std::true_type {
  static consteval shape<E> of() {
    constexpr wire_traits element = wire<std::remove_const_t<E>>;
    if (element.image) return {{wire_kind::bytes, hindrance::none, N * sizeof(E), true, true}};
    return {{wire_kind::array, hindrance::none, N * element.least, element.fixed}};
  }
};
template <class E, std::size_t N>
struct known_shape<std::array<E, N>> : known_shape<E[N]> {};
template <class E>
struct known_shape<std::array<E, 0>> : std::true_type {
  static consteval shape<> of() { return {{wire_kind::empty, hindrance::none, 0, true, true}}; }
};
template <class... T>
struct known_shape<std::tuple<T...>> : std::true_type {
  static consteval shape<T...> of() { return shape_of_all<T...>(wire_kind::product); }
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
consteval auto shape_of_members(type_list<M...>) {
  if constexpr (sizeof...(M) == 0 && std::is_trivially_copyable_v<T>)
    return shape_of_opaque<T>();
  else if constexpr (sizeof...(M) == 0)
    return hindered(hindrance::aggregate_shape);
  else if constexpr (std::is_trivially_copyable_v<T> && (wire<std::remove_const_t<M>>.image && ...))
    return shape_of_bytes<T>();
  else
    return shape_of_all<M...>(wire_kind::aggregate);
}

template <class T>
consteval shape<> classify_defined() {
  if (typer::inherits<T>()) return hindered(hindrance::inherited_define);
  if (!std::is_default_constructible_v<T> || !std::is_move_constructible_v<T>)
    return hindered(hindrance::defined_shape);
  return {{wire_kind::defined}};
}

/// A class that is none of the containers.
template <class T>
consteval auto classify_other() {
  if constexpr (pointer_like<T>)
    return hindered(hindrance::pointer_like);
  else if constexpr (std::is_aggregate_v<T> && !std::is_union_v<T>)
    return shape_of_members<T>(members_of<T>{});
  else if constexpr (place_bound<T>)
    return hindered(hindrance::place);
  else if constexpr (bit_set<T>)
    return shape<>{{wire_kind::bits, hindrance::none, sizeof(T), true}};
  else if constexpr (std::is_trivially_copyable_v<T> && std::is_move_constructible_v<T>)
    return shape_of_opaque<T>();
  else
    return hindered(hindrance::unknown);
}

template <class T>
consteval auto classify_class() {
  if constexpr (std::is_trivially_copyable_v<T> && std::is_empty_v<T>)
    return shape<>{{wire_kind::empty, hindrance::none, 0, true, true}};
  else if constexpr (known_shape<T>::value)
    return known_shape<T>::of();
  else if constexpr (view<T>)
    return hindered(hindrance::view);
  else if constexpr (path<T>)
    return holder<>(wire_kind::path);
  else if constexpr (sequence<T>)
    return holder<typename T::value_type>(wire_kind::sequence);
  else if constexpr (associative<T>)
    return ordered_holder<T, typename T::value_type>(wire_kind::associative);
  else if constexpr (optional<T>)
    return holder<typename T::value_type>(wire_kind::optional);
  else if constexpr (expected<T>)
    return value_or_error<typename T::value_type, typename T::error_type>();
  else if constexpr (variant<T> && alternatives<T>::known)
    return holder(wire_kind::variant, typename alternatives<T>::types{});
  else if constexpr (variant<T>)
    return hindered(hindrance::variant);
  else if constexpr (singly_linked<T>)
    return holder<typename T::value_type>(wire_kind::forward);
  else if constexpr (numeric_array<T>)
    return holder<typename T::value_type>(wire_kind::numeric);
  else if constexpr (adaptor<T>)
    return ordered_holder<T, typename T::container_type>(wire_kind::adaptor);
  else
    return classify_other<T>();
}

template <class T>
consteval shape<> classify_scalar() {
  if (std::is_pointer_v<T> || std::is_null_pointer_v<T>) return hindered(hindrance::pointer);
  if (std::is_member_pointer_v<T>) return hindered(hindrance::member_pointer);
  if (std::is_same_v<T, bool>) return {{wire_kind::boolean, hindrance::none, 1, true}};
  return shape_of_bytes<T>();
}

template <class T>
consteval auto classify() {
  if constexpr (std::is_reference_v<T>)
    return hindered(hindrance::reference);
  else if constexpr (std::is_volatile_v<T>)
    return hindered(hindrance::volatility);
  else if constexpr (std::is_function_v<T> || std::is_void_v<T>)
    return hindered(hindrance::function);
  else if constexpr (std::is_bounded_array_v<T>)
    return known_shape<T>::of();
  else if constexpr (std::is_unbounded_array_v<T>)
    return hindered(hindrance::pointer);
  else if constexpr (std::is_abstract_v<T>)
    return hindered(hindrance::unknown);
  else if constexpr (has_own_codec<T> && own_codec_complete<T>)
    return shape<>{{wire_kind::custom}};
  else if constexpr (has_own_codec<T>)
    return hindered(hindrance::custom_shape);
  else if constexpr (travels_as_bytes<T> && std::is_trivially_copyable_v<T>)
    return shape_of_bytes<T>();
  else if constexpr (typer::defines<T>())
    return classify_defined<T>();
  else if constexpr (std::is_enum_v<T>)
    return classify_scalar<std::underlying_type_t<T>>();
  else if constexpr (std::is_class_v<T> || std::is_union_v<T>)
    return classify_class<T>();
  else
    return classify_scalar<T>();
}

/// What a type contains, to any depth. A type may contain itself by way of containers and pointers.
struct reach {
  bool travels = true;     // nothing in it is hindered
  bool shares = false;     // it has, or may have, pointers that share an object
  bool recurses = false;   // something in it contains itself
  bool outside = false;    // its encoding depends on more than the value: on what pointers lead to, on a user's code
  bool uncounted = false;  // it contains itself, with nothing between that counts the depth
};

/// Values of these kinds are levels of a recursion, if they are part of one.
consteval bool counts_depth(wire_kind kind) {
  return kind == wire_kind::aggregate || kind == wire_kind::defined || kind == wire_kind::custom;
}

template <class T, class... Path>
consteval reach find_reach();

template <class... P, class... Path>
consteval reach reach_of_parts(type_list<P...>, type_list<Path...>) {
  reach sum;
  [[maybe_unused]] auto const add = [&sum](reach each) {
    sum.travels = sum.travels && each.travels;
    sum.shares = sum.shares || each.shares;
    sum.recurses = sum.recurses || each.recurses;
    sum.outside = sum.outside || each.outside;
    sum.uncounted = sum.uncounted || each.uncounted;
  };
  (add(find_reach<std::remove_const_t<P>, Path...>()), ...);
  return sum;
}

/// `Path` are the types that T was found in, the one that is asked about first.
template <class T, class... Path>
consteval reach find_reach() {
  if constexpr (wire<T>.why != hindrance::none) {
    return {false};
  } else if constexpr ((std::is_same_v<T, Path> || ...)) {
    bool const is_asked = std::is_same_v<T, std::tuple_element_t<0, std::tuple<Path...>>>;
    return {true, false, true, false, is_asked && !(counts_depth(wire<Path>.kind) || ...)};
  } else if constexpr (wire<T>.image) {
    return {};
  } else {
    constexpr wire_kind kind = wire<T>.kind;
    reach result = reach_of_parts(parts_of<T>{}, type_list<Path..., T>{});
    bool const shares = kind == wire_kind::shared || kind == wire_kind::weak || kind == wire_kind::defined;
    result.shares = result.shares || shares;
    result.outside = result.outside || shares || kind == wire_kind::owner || kind == wire_kind::custom;
    return result;
  }
}

template <class T>
inline constexpr reach reach_of = find_reach<T>();

/// T counts as a level: a container, optional or variant that contains itself, as `struct json : std::vector<json>`.
/// Of products and arrays, what they hold counts.
template <class T>
inline constexpr bool level_itself =
    reach_of<T>.uncounted&& wire<T>.kind != wire_kind::product&& wire<T>.kind != wire_kind::array;

}  // namespace sheaf::detail
