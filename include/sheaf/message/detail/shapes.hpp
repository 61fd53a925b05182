// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

/// What a type looks like. Containers are recognised by their members, so that their headers need not be included.
namespace sheaf::detail {

template <class T>
concept sized_range = requires(T const c) {
  typename T::value_type;
  { c.size() } -> std::convertible_to<std::size_t>;
  c.begin();
  c.end();
}
&&!std::same_as<typename T::value_type, T>;

/// std::vector, std::string, std::deque, std::list and their like.
template <class T>
concept sequence = sized_range<T> && std::is_default_constructible_v<T> && !requires {
  typename T::key_type;
}
&&(
    requires(T c, typename T::value_type v) { c.push_back(std::move(v)); } ||
    requires(T c, typename T::value_type v) { c.emplace_back(std::move(v)); });

/// std::map, std::unordered_multiset and their like.
template <class T>
concept associative = sized_range<T> && std::is_default_constructible_v<T> && requires(T c, typename T::value_type v) {
  typename T::key_type;
  c.insert(c.end(), std::move(v));
};

/// std::optional and its like.
template <class T>
concept optional = std::is_default_constructible_v<T> && requires(T c, typename T::value_type v) {
  { c.has_value() } -> std::same_as<bool>;
  { *c } -> std::same_as<typename T::value_type&>;
  c.reset();
  c.emplace(std::move(v));
};

/// std::variant and its like.
template <class T>
concept variant = requires(T const c) {
  c.valueless_by_exception();
  c.index();
};

template <class T>
inline constexpr bool is_known_view = false;
template <class C, class T>
inline constexpr bool is_known_view<std::basic_string_view<C, T>> = true;
template <class T, std::size_t N>
inline constexpr bool is_known_view<std::span<T, N>> = true;
template <class T>
inline constexpr bool is_known_view<std::initializer_list<T>> = true;

/// Has `type` and `get() -> type&`, as std::reference_wrapper.
template <class T>
concept reference_like = requires(T const r) {
  typename T::type;
  { r.get() } -> std::same_as<typename T::type&>;
};

/// Has `operator->`, as iterators and smart pointers.
template <class T>
concept pointer_like = requires(T const p) {
  p.operator->();
};

template <class T>
concept view = is_known_view<T> || reference_like<T>;

}  // namespace sheaf::detail
