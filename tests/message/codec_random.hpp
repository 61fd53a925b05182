// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/message/codec.hpp"

/// Random values of any codec type, and the seed that gives them again.
namespace codec_test {

/// The seed of this run: SHEAF_TEST_SEED, else a new one.
inline std::uint64_t seed() {
  static std::uint64_t const value = [] {
    char const* const given = std::getenv("SHEAF_TEST_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : std::uint64_t{std::random_device{}()};
  }();
  return value;
}

inline std::string replay() {
  return "replay with SHEAF_TEST_SEED=" + std::to_string(seed()) + " and the same --gtest_filter";
}

using generator = std::mt19937_64;

/// Specialise as true for an enum without a fixed underlying type: its legal values, here 0 and 1, cannot be found out.
template <class T>
inline constexpr bool open_enum = false;

template <class T>
T random_value(generator& random);

template <class T>
void randomize(generator& random, T& to) {
  if constexpr (std::is_array_v<T>) {
    for (auto& each : to) randomize(random, each);
  } else {
    to = random_value<T>(random);
  }
}

template <class T>
T random_container(generator& random) {
  using element = typename sheaf::detail::element_of_container<typename T::value_type>::type;
  T result;
  std::size_t const longest = sheaf::fixed_size<element> ? 200 : 6;  // long enough for a count of two bytes
  std::size_t const n = random() % 4 == 0 ? random() % longest : random() % 4;
  for (std::size_t i = 0; i != n; ++i) {
    if constexpr (requires(element e) { result.push_back(std::move(e)); }) {
      result.push_back(random_value<element>(random));
    } else {
      result.insert(result.end(), random_value<element>(random));
    }
  }
  return result;
}

template <class T>
struct random_tuple;
template <class... M>
struct random_tuple<std::tuple<M...>> {
  static std::tuple<M...> make(generator& random) { return std::tuple<M...>{random_value<M>(random)...}; }
};
template <class A, class B>
struct random_tuple<std::pair<A, B>> {
  static std::pair<A, B> make(generator& random) {
    return std::pair<A, B>{random_value<A>(random), random_value<B>(random)};
  }
};

/// One of the alternatives, each as likely.
template <class V, class First, class... Rest>
V random_alternative(generator& random, sheaf::detail::type_list<First, Rest...>) {
  if constexpr (sizeof...(Rest) != 0) {
    if (random() % (sizeof...(Rest) + 1) != 0)
      return random_alternative<V>(random, sheaf::detail::type_list<Rest...>{});
  }
  return V(random_value<First>(random));
}

/// Values that hold values of their own type end some levels down.
template <class T>
T random_pointer(generator& random) {
  static int depth = 0;
  using object = std::remove_const_t<typename T::element_type>;
  if (random() % 3 == 0 || depth == 6) return T();
  ++depth;
  T result(new object(random_value<object>(random)));
  --depth;
  return result;
}

template <class T>
T random_scalar(generator& random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random() % 2 == 0;
  } else if constexpr (open_enum<T>) {
    return static_cast<T>(random() % 2);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(random_value<std::underlying_type_t<T>>(random));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(static_cast<std::int32_t>(random()));
  } else {
    return static_cast<T>(random() >> random() % 64);
  }
}

template <class T>
T random_aggregate(generator& random) {
  T result{};
  if constexpr (requires { result.fill(result[0]); }) {
    for (auto& each : result) randomize(random, each);
  } else if constexpr (!std::is_empty_v<T>) {
    sheaf::detail::with_members(result, [&random](auto&... member) { (randomize(random, member), ...); });
  }
  return result;
}

/// Numbers that are classes, pairs and tuples, and what is left.
template <class T>
T random_other(generator& random) {
  if constexpr (requires(T t) { t.time_since_epoch(); }) {
    return T(random_value<typename T::duration>(random));
  } else if constexpr (requires { typename T::rep; }) {
    return T(random_value<typename T::rep>(random));
  } else if constexpr (requires(T t) { t.real(); }) {
    return T(random_value<typename T::value_type>(random), random_value<typename T::value_type>(random));
  } else if constexpr (requires { random_tuple<T>::make(random); }) {
    return random_tuple<T>::make(random);
  } else {
    return random_aggregate<T>(random);
  }
}

/// Containers that are filled in a way of their own.
template <class T>
T random_rare(generator& random) {
  constexpr auto kind = sheaf::detail::wire<T>.kind;
  using sheaf::detail::wire_kind;
  if constexpr (kind == wire_kind::forward) {
    auto const values = random_container<std::vector<typename T::value_type>>(random);
    return T(values.begin(), values.end());
  } else if constexpr (kind == wire_kind::numeric) {
    T result(random() % 6);
    for (std::size_t i = 0; i != result.size(); ++i) result[i] = random_value<typename T::value_type>(random);
    return result;
  } else if constexpr (kind == wire_kind::adaptor) {
    T result;
    for (std::uint64_t n = random() % 6; n != 0; --n) result.push(random_value<typename T::value_type>(random));
    return result;
  } else {
    return random_other<T>(random);
  }
}

/// T::random(generator&) where there is one.
template <class T>
T random_value(generator& random) {
  constexpr auto kind = sheaf::detail::wire<T>.kind;
  using sheaf::detail::wire_kind;
  if constexpr (std::is_scalar_v<T>) {
    return random_scalar<T>(random);
  } else if constexpr (kind == wire_kind::sequence || kind == wire_kind::associative) {
    return random_container<T>(random);
  } else if constexpr (kind == wire_kind::path) {
    return T(random_value<typename T::string_type>(random));
  } else if constexpr (kind == wire_kind::bits) {
    return T(random());
  } else if constexpr (kind == wire_kind::variant) {
    return random_alternative<T>(random, sheaf::detail::parts_of<T>{});
  } else if constexpr (kind == wire_kind::owner || kind == wire_kind::shared) {
    return random_pointer<T>(random);
  } else if constexpr (kind == wire_kind::optional) {
    return random() % 2 == 0 ? T{} : T{random_value<typename T::value_type>(random)};
  } else if constexpr (requires { T::random(random); }) {
    return T::random(random);
  } else {
    return random_rare<T>(random);
  }
}

/// The encoding of one value in a block of exactly its size, so that a sanitizer sees every byte too far.
template <class T>
std::vector<std::byte> encoded(T const& value) {
  std::vector<std::byte> bytes(sheaf::codec<T>::size(value));
  sheaf::byte_writer to(bytes.data(), bytes.data() + bytes.size());
  sheaf::codec<T>::encode(to, value);
  if (to.remaining() != 0) std::abort();  // size() promised more
  return bytes;
}

/// What arrives when `value` is sent.
template <class T>
T round_trip(T const& value) {
  auto const bytes = encoded(value);
  sheaf::byte_reader from(bytes);
  T result = sheaf::codec<T>::decode(from);
  if (from.remaining() != 0) std::abort();
  return result;
}

inline std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (int const v : values) result.push_back(static_cast<std::byte>(v));
  return result;
}

/// The text of the error that decoding a T from `bytes` throws.
template <class T>
std::string error_of(std::vector<std::byte> const& bytes) {
  sheaf::byte_reader from(bytes);
  try {
    (void)sheaf::codec<T>::decode(from);
  } catch (sheaf::decode_error const& e) {
    return e.what();
  }
  return "no error";
}

/// Equal by `==` where it compares values, else by what they encode to.
template <class T>
bool same(T const& a, T const& b) {
  if constexpr (!sheaf::detail::reach_of<T>.outside && requires { bool(a == b); }) {
    return a == b;
  } else {
    return encoded(a) == encoded(b);
  }
}

}  // namespace codec_test
