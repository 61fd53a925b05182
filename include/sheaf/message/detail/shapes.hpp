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

/// std::forward_list and its like.
template <class T>
concept singly_linked = std::is_default_constructible_v<T> && requires(T c, typename T::value_type v) {
  c.insert_after(c.before_begin(), std::move(v));
  c.begin();
  c.end();
};

/// std::valarray and its like.
template <class T>
concept numeric_array = std::is_default_constructible_v<T> && requires(T c, T const k, std::size_t n) {
  { c[n] } -> std::same_as<typename T::value_type&>;
  { k.size() } -> std::convertible_to<std::size_t>;
  c.resize(n);
  k.sum();
  k.cshift(1);
};

/// The way to the protected container `c` of an adaptor.
template <class A>
struct opened : A {
  static constexpr bool has_container = requires { &opened::c; };
  static typename A::container_type const& container(A const& adaptor) { return adaptor.*&opened::c; }
};

/// std::stack, std::queue, std::priority_queue and their like.
template <class T>
concept adaptor = !std::is_final_v<T> && requires(T a, typename T::value_type v) {
  typename T::container_type;
  a.push(std::move(v));
  a.pop();
}
&&opened<T>::has_container;

/// std::bitset and its like.
template <class T>
concept bit_set = std::is_trivially_copyable_v<T> && requires(T b, T const k) {
  k.to_ullong();
  k.count();
  b.set();
  b &= k;
};

/// std::filesystem::path and its like.
template <class T>
concept path = std::is_constructible_v<T, typename T::string_type> && requires(T const p) {
  { p.native() } -> std::same_as<typename T::string_type const&>;
  p.parent_path();
};

/// std::expected and its like.
template <class T>
concept expected = std::is_constructible_v<T, typename T::unexpected_type> && requires(T const e) {
  typename T::value_type;
  typename T::error_type;
  { e.has_value() } -> std::same_as<bool>;
  e.error();
};

/// std::variant and its like.
template <class T>
concept variant = requires(T const c) {
  c.valueless_by_exception();
  c.index();
};

template <class... T>
struct type_list {};

template <class T>
struct alternatives {
  static constexpr bool known = false;
};
template <template <class...> class V, class... A>
struct alternatives<V<A...>> {
  using types = type_list<A...>;
  static constexpr bool known = []<std::size_t... I>(std::index_sequence<I...>) {
    return (std::is_constructible_v<V<A...>, std::in_place_index_t<I>, A&&> && ...);
  }
  (std::index_sequence_for<A...>{});
};

template <class F>
concept stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;

/// The other side has the same order or hash.
template <class T>
consteval bool has_stateless_order() {
  if constexpr (requires { typename T::key_compare; })
    return stateless<typename T::key_compare>;
  else if constexpr (requires { typename T::hasher; })
    return stateless<typename T::hasher> && stateless<typename T::key_equal>;
  else if constexpr (requires { typename T::value_compare; })
    return stateless<typename T::value_compare>;
  else
    return true;
}

template <class T>
inline constexpr bool is_known_view = false;
template <class C, class T>
inline constexpr bool is_known_view<std::basic_string_view<C, T>> = true;
template <class T, std::size_t N>
inline constexpr bool is_known_view<std::span<T, N>> = true;
template <class T>
inline constexpr bool is_known_view<std::initializer_list<T>> = true;

/// Has `operator->`, as iterators and smart pointers.
template <class T>
concept pointer_like = requires(T const p) {
  p.operator->();
};

/// Points, in private, to what is elsewhere: iterators, std::error_code, type_index, source_location, coroutine_handle.
template <class T>
concept place_bound = requires {
  typename T::iterator_category;
}
|| requires(T const v) {
  v.category();
  v.message();
}
|| requires(T const v) {
  v.hash_code();
  v.name();
}
|| requires(T const v) {
  v.file_name();
  v.function_name();
}
|| requires(T const v) {
  v.address();
  v.resume();
};

/// Or what has `type` and `get() -> type&`, as std::reference_wrapper.
template <class T>
concept view = is_known_view<T> || requires(T const r) {
  typename T::type;
  { r.get() } -> std::same_as<typename T::type&>;
};

}  // namespace sheaf::detail
