// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace sheaf::detail {

/// What an object of T has in memory.
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

}  // namespace sheaf::detail
