// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <type_traits>

#include "sheaf/message/detail/wire.hpp"

/// What a type contains, to any depth. A type may contain itself by way of containers and pointers.
namespace sheaf::detail {

template <class V, class E>
consteval auto value_and_error() {
  if constexpr (std::is_void_v<V>)
    return type_list<E>{};
  else
    return type_list<V, E>{};
}

template <class T>
consteval auto list_parts() {
  constexpr wire_kind kind = wire<T>.kind;
  if constexpr (known_shape<T>::known)
    return typename known_shape<T>::parts{};
  else if constexpr (kind == wire_kind::aggregate)
    return members_of<T>{};
  else if constexpr (kind == wire_kind::variant)
    return typename alternatives<T>::types{};
  else if constexpr (kind == wire_kind::expected)
    return value_and_error<typename T::value_type, typename T::error_type>();
  else if constexpr (kind == wire_kind::adaptor)
    return type_list<typename T::container_type>{};
  else if constexpr (kind == wire_kind::sequence || kind == wire_kind::forward || kind == wire_kind::numeric ||
                     kind == wire_kind::associative || kind == wire_kind::optional)
    return type_list<typename T::value_type>{};
  else
    return type_list<>{};
}

/// The types that T's encoding is made of.
template <class T>
using parts_of = decltype(list_parts<T>());

struct reach {
  bool travels = true;    // nothing in it is hindered
  bool shares = false;    // it has, or may have, pointers that share an object
  bool recurses = false;  // something in it contains itself
  bool outside = false;   // its encoding depends on more than the value: on what pointers lead to, on a user's code
};

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
  };
  (add(find_reach<std::remove_const_t<P>, Path...>()), ...);
  return sum;
}

/// `Path` are the types that T was found in.
template <class T, class... Path>
consteval reach find_reach() {
  if constexpr (wire<T>.why != hindrance::none) {
    return {false};
  } else if constexpr ((std::is_same_v<T, Path> || ...)) {
    return {true, false, true};
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

/// Values of these kinds are levels of a recursion, if they are part of one.
consteval bool counts_depth(wire_kind kind) {
  return kind == wire_kind::aggregate || kind == wire_kind::defined || kind == wire_kind::custom;
}

template <class T, class Within, class... Path>
consteval bool holds_itself();

template <class T, class... P, class... Path>
consteval bool one_holds(type_list<P...>, type_list<Path...>) {
  return (holds_itself<T, std::remove_const_t<P>, Path...>() || ...);
}

/// T occurs in `Within`, which was found in `Path`, with nothing between that counts the depth.
template <class T, class Within, class... Path>
consteval bool holds_itself() {
  if constexpr (std::is_same_v<T, Within> && sizeof...(Path) != 0) {
    return true;
  } else if constexpr ((std::is_same_v<Within, Path> || ...) || counts_depth(wire<Within>.kind) || wire<Within>.image) {
    return false;
  } else {
    return one_holds<T>(parts_of<Within>{}, type_list<Path..., Within>{});
  }
}

template <class T>
consteval bool is_level() {
  constexpr wire_kind kind = wire<T>.kind;
  if constexpr (kind == wire_kind::product || kind == wire_kind::array || wire<T>.fixed || !reach_of<T>.recurses)
    return false;  // what they hold counts
  else
    return holds_itself<T, T>();
}

/// T is a level of its recursion by itself: a container, an optional or a variant that contains itself, such as
/// `struct json : std::map<std::string, json>`.
template <class T>
inline constexpr bool level_itself = is_level<T>();

}  // namespace sheaf::detail
