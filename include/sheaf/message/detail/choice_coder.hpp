// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/message/detail/coder.hpp"

/// The encoding of what holds one value or another: optional, expected, variant.
namespace sheaf::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_valueless() {
  throw usage_error(
      "sheaf: a variant to be sent is valueless_by_exception(); legal is a variant that holds one of its alternatives: "
      "assign one first");
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_alternative(std::uint64_t number, std::size_t alternatives) {
  throw decode_error("sheaf: a message holds alternative " + std::to_string(number) + " of a variant, legal are 0 to " +
                     std::to_string(alternatives - 1) + "; sender and receiver must run the same build");
}

template <class T>
struct coder<T, wire_kind::optional> {
  using element = std::remove_const_t<typename T::value_type>;

  static std::size_t size(sizing& s, T const& value) {
    return 1 + (value.has_value() ? wire_size<element>(s, *value) : 0);
  }

  static void encode(byte_writer& to, T const& value) {
    wire_encode(to, value.has_value());
    if (value.has_value()) wire_encode<element>(to, *value);
  }

  static T decode(byte_reader& from) {
    T result;
    if (wire_decode<bool>(from)) result.emplace(wire_decode<element>(from));
    return result;
  }
};

template <class T>
struct coder<T, wire_kind::expected> {
  using good = std::remove_const_t<typename T::value_type>;
  using bad = typename T::error_type;

  static std::size_t size(sizing& s, T const& value) {
    if (!value.has_value()) return 1 + wire_size<bad>(s, value.error());
    if constexpr (std::is_void_v<good>)
      return 1;
    else
      return 1 + wire_size<good>(s, *value);
  }

  static void encode(byte_writer& to, T const& value) {
    wire_encode(to, value.has_value());
    if (!value.has_value()) {
      wire_encode<bad>(to, value.error());
    } else if constexpr (!std::is_void_v<good>) {
      wire_encode<good>(to, *value);
    }
  }

  static T decode(byte_reader& from) {
    if (!wire_decode<bool>(from)) return T(typename T::unexpected_type(wire_decode<bad>(from)));
    if constexpr (std::is_void_v<good>)
      return T();
    else
      return T(wire_decode<good>(from));
  }
};

template <class T>
struct coder<T, wire_kind::variant> {
  static std::size_t size(sizing& s, T const& value) {
    if (value.valueless_by_exception()) fail_valueless();
    std::size_t sum = count_size(value.index());
    with_value(value, [&](auto const& held) { sum += wire_size(s, held); });
    return sum;
  }

  static void encode(byte_writer& to, T const& value) {
    to.count(value.index());
    with_value(value, [&](auto const& held) { wire_encode(to, held); });
  }

  static T decode(byte_reader& from) { return decode_as<0>(from, from.number(), typename alternatives<T>::types{}); }

 private:
  static constexpr std::size_t count = []<class... A>(type_list<A...>) {
    return sizeof...(A);
  }(typename alternatives<T>::types{});

  template <class F>
  static void with_value(T const& value, F f) {
    using std::get;  // and the one of the variant, which its argument finds
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void)((value.index() == I ? (f(get<I>(value)), true) : false) || ...);
    }
    (std::make_index_sequence<count>{});
  }

  template <std::size_t I, class First, class... Rest>
  static T decode_as(byte_reader& from, std::uint64_t number, type_list<First, Rest...>) {
    if (number == I) return T(std::in_place_index<I>, wire_decode<std::remove_const_t<First>>(from));
    if constexpr (sizeof...(Rest) != 0) {
      return decode_as<I + 1>(from, number, type_list<Rest...>{});
    } else {
      fail_alternative(number, count);
    }
  }
};

}  // namespace sheaf::detail
