// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
  for (std::size_t i = 0; i != n; ++i) result.insert(result.end(), random_value<element>(random));
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

template <class T>
T random_value(generator& random) {
  using namespace sheaf::detail;
  if constexpr (std::is_same_v<T, bool>) {
    return random() % 2 == 0;
  } else if constexpr (open_enum<T>) {
    return static_cast<T>(random() % 2);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(random_value<std::underlying_type_t<T>>(random));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(static_cast<std::int32_t>(random()));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(random() >> random() % 64);
  } else if constexpr (sequence<T> || associative<T>) {
    return random_container<T>(random);
  } else if constexpr (optional<T>) {
    return random() % 2 == 0 ? T{} : T{random_value<typename T::value_type>(random)};
  } else if constexpr (requires { random_tuple<T>::make(random); }) {
    return random_tuple<T>::make(random);
  } else {
    T result{};
    if constexpr (requires { result.fill(result[0]); }) {
      for (auto& each : result) randomize(random, each);
    } else if constexpr (!std::is_empty_v<T>) {
      with_members(result, [&random](auto&... member) { (randomize(random, member), ...); });
    }
    return result;
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

}  // namespace codec_test
