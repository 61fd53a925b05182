// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sheaf/message/detail/coder.hpp"

/// The encoding of containers: a count, then the elements. An element whose encoding may be empty follows a zero byte,
/// so that a count never promises more elements than bytes.
namespace sheaf::detail {

template <class E>
inline constexpr std::size_t filler = wire<E>.least == 0 ? 1 : 0;

template <class E>
inline constexpr std::size_t element_least = wire<E>.least + filler<E>;

/// What is decoded for a container's value_type: a map's element with a key that can be moved.
template <class E>
struct element_of_container {
  using type = std::remove_const_t<E>;
};
template <class K, class V>
struct element_of_container<std::pair<K const, V>> {
  using type = std::pair<K, V>;
};

/// The elements lie side by side and are their own encoding.
template <class C>
concept image_block = wire<typename C::value_type>
.image&& wire<typename C::value_type>.least != 0 &&
    std::is_default_constructible_v<typename C::value_type>&& requires(C c, C const k) {
  { k.data() } -> std::same_as<typename C::value_type const*>;
  c.resize(k.size());
};

template <class C>
struct elements_coder {
  using element = typename element_of_container<typename C::value_type>::type;

  template <class Sink>
  static void encode(Sink& to, C const& value) {
    std::size_t const n = count_of(value);
    to.count(n);
    if constexpr (only_measures<Sink> && wire<element>.fixed) {
      to.total += n * element_least<element>;
    } else if constexpr (image_block<C>) {
      to.bytes(value.data(), n * sizeof(element));
    } else {
      for (auto&& each : value) {
        if constexpr (filler<element> != 0) to.value(std::byte{0});
        wire_encode<typename C::value_type>(to, each);
      }
    }
  }

  static C decode(byte_reader& from) {
    std::size_t const n = from.count(element_least<element>);
    C result;
    if constexpr (image_block<C>) {
      std::byte const* const image = from.take(n * sizeof(element));
      result.resize(n);
      if (n != 0) std::memcpy(static_cast<void*>(result.data()), image, n * sizeof(element));
    } else if constexpr (wire<C>.kind == wire_kind::forward) {
      auto last = result.before_begin();
      decode_each(from, n, [&](element&& each) { last = result.insert_after(last, std::move(each)); });
    } else {
      reserve(result, n, from.remaining());
      decode_each(from, n, [&](element&& each) { append(result, std::move(each)); });
    }
    return result;
  }

 private:
  static std::size_t count_of(C const& value) {
    if constexpr (requires { value.size(); }) {
      return value.size();
    } else {
      std::size_t n = 0;
      for (auto at = value.begin(); at != value.end(); ++at) ++n;
      return n;
    }
  }

  /// Calls `add(element)` n times.
  template <class Add>
  static void decode_each(byte_reader& from, std::size_t n, Add add) {
    if constexpr (wire<element>.fixed) {
      unchecked_reader checked(from.take(n * element_least<element>));
      decode_from(checked, n, add);
    } else {
      decode_from(from, n, add);
    }
  }
  template <class Source, class Add>
  static void decode_from(Source& from, std::size_t n, Add& add) {
    for (std::size_t i = 0; i != n; ++i) {
      if constexpr (filler<element> != 0) (void)from.take(1);
      add(wire_decode<element>(from));
    }
  }

  /// Takes no more memory at once than the message has bytes, or than its elements surely need.
  static void reserve(C& result, std::size_t n, std::size_t remaining) {
    if constexpr (wire<C>.kind == wire_kind::sequence && requires { result.reserve(n); }) {
      std::size_t const within = remaining / sizeof(element) + 1;
      result.reserve(wire<element>.fixed || n < within ? n : within);
    }
  }

  static void append(C& result, element&& each) {
    if constexpr (wire<C>.kind == wire_kind::associative) {
      result.insert(result.end(), std::move(each));
    } else if constexpr (requires { result.push_back(std::move(each)); }) {
      result.push_back(std::move(each));
    } else {
      result.emplace_back(std::move(each));
    }
  }
};

template <class T>
struct coder<T, wire_kind::sequence> : elements_coder<T> {};
template <class T>
struct coder<T, wire_kind::associative> : elements_coder<T> {};
template <class T>
struct coder<T, wire_kind::forward> : elements_coder<T> {};

/// A valarray has neither begin() nor append.
template <class T>
struct coder<T, wire_kind::numeric> {
  using element = typename T::value_type;

  template <class Sink>
  static void encode(Sink& to, T const& value) {
    to.count(value.size());
    for (std::size_t i = 0; i != value.size(); ++i) {
      if constexpr (filler<element> != 0) to.value(std::byte{0});
      wire_encode<element>(to, value[i]);
    }
  }

  /// By way of a vector, so that memory is taken as the bytes warrant it.
  static T decode(byte_reader& from) {
    auto values = coder<std::vector<boxed>, wire_kind::sequence>::decode(from);
    T result;
    result.resize(values.size());
    for (std::size_t i = 0; i != values.size(); ++i) result[i] = std::move(values[i].value);
    return result;
  }

 private:
  struct boxed {  // no std::vector<bool>
    element value;
  };
};

template <class T>
struct coder<T, wire_kind::adaptor> {
  using container = typename T::container_type;

  template <class Sink>
  static void encode(Sink& to, T const& value) {
    wire_encode(to, opened<T>::container(value));
  }

  /// A priority queue makes its heap anew: the bytes need not be one.
  static T decode(byte_reader& from) {
    if constexpr (requires { typename T::value_compare; }) {
      return T(typename T::value_compare(), wire_decode<container>(from));
    } else {
      return T(wire_decode<container>(from));
    }
  }
};

template <class T>
struct coder<T, wire_kind::path> {
  template <class Sink>
  static void encode(Sink& to, T const& value) {
    wire_encode(to, value.native());
  }
  static T decode(byte_reader& from) { return T(wire_decode<typename T::string_type>(from)); }
};

}  // namespace sheaf::detail
