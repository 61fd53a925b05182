// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/message/detail/wire.hpp"

/// The encoding of each `wire_kind`.
namespace sheaf::detail {

/// Reads where one check was made for many values.
class unchecked_reader {
 public:
  explicit unchecked_reader(std::byte const* from) : position_(from) {}

  std::byte const* take(std::size_t size) {
    std::byte const* const at = position_;
    position_ += size;
    return at;
  }

 private:
  std::byte const* position_;
};

/// encode and decode of one kind; the sink of `encode` is a `byte_writer`, or `sizing`. An array of the language cannot
/// be returned: `fill` decodes it, never `decode`.
template <class T, wire_kind = wire<T>.kind>
struct coder;

template <class T, class Sink>
void wire_encode(Sink& to, T const& value) {
  if constexpr (only_measures<Sink> && wire<T>.fixed) {
    to.total += wire<T>.least;
  } else if constexpr (only_measures<Sink> && wire<T>.kind == wire_kind::custom) {
    to.total += codec<T>::size(value);
  } else if constexpr (wire<T>.kind == wire_kind::custom) {
    codec<T>::encode(to, value);
  } else {
    [[maybe_unused]] level_if<level_itself<T>> const deeper(codec_access::state(to), &fail_deep_value);
    coder<T>::encode(to, value);
  }
}

template <class T>
T wire_decode(unchecked_reader& from) {
  return coder<T>::decode(from);
}

template <class T>
T wire_decode(byte_reader& from) {
  if constexpr (wire<T>.kind == wire_kind::custom) {
    return codec<T>::decode(from);
  } else if constexpr (wire<T>.fixed) {
    unchecked_reader checked(from.take(wire<T>.least));
    return coder<T>::decode(checked);
  } else {
    [[maybe_unused]] level_if<level_itself<T>> const deeper(codec_access::state(from), &fail_deep_message);
    return coder<T>::decode(from);
  }
}

/// An object from its memory image; T need not have a default constructor.
template <class T>
T from_image(std::byte const* from) {
  if constexpr (std::is_trivially_default_constructible_v<T>) {
    T value;
    std::memcpy(static_cast<void*>(&value), from, sizeof(T));
    return value;
  } else {
    alignas(T) std::byte copy[sizeof(T)];  // __builtin_bit_cast refuses some closures in g++ 12
    std::memcpy(copy, from, sizeof(T));
    return *std::launder(reinterpret_cast<T*>(copy));
  }
}

template <class T>
struct coder<T, wire_kind::empty> {
  static void encode(byte_writer&, T const&) {}

  static T decode(unchecked_reader&) {
    std::byte const nothing[sizeof(T)] = {};
    return from_image<T>(nothing);
  }
};

template <class T>
struct coder<T, wire_kind::boolean> {
  static void encode(byte_writer& to, T const& value) { to.value(static_cast<unsigned char>(value)); }
  static T decode(unchecked_reader& from) { return static_cast<T>(*from.take(1) != std::byte{0}); }
};

template <class T>
struct coder<T, wire_kind::bytes> {
  static void encode(byte_writer& to, T const& value) { to.value(value); }
  static std::decay_t<T> decode(unchecked_reader& from) {
    std::byte const* const image = from.take(sizeof(T));
    if constexpr (wire<T>.image) {
      return from_image<T>(image);
    } else {
      std::byte copy[sizeof(T)];
      std::memcpy(copy, image, sizeof(T));
      for (std::size_t i = 0; i < sizeof(T); ++i) {
        if (bool_places<T>()[i]) copy[i] = std::byte{copy[i] != std::byte{0}};
      }
      return from_image<T>(copy);
    }
  }
};

template <class T>
struct coder<T, wire_kind::bits> {
  static void encode(byte_writer& to, T const& value) { to.value(value); }

  /// Bits that the set does not have are dropped.
  static T decode(unchecked_reader& from) {
    T value = from_image<T>(from.take(sizeof(T)));
    value &= T().set();
    return value;
  }
};

/// Decodes into an object that is there.
template <class Source, class T>
void fill(Source& from, T& value) {
  if constexpr (wire<T>.kind == wire_kind::defined) {
    typer::read(from, value);
  } else if constexpr (wire<T>.kind == wire_kind::bytes && !std::is_array_v<T>) {
    auto const come = wire_decode<T>(from);
    std::memcpy(static_cast<void*>(&value), &come, sizeof(T));  // a closure cannot be assigned
  } else if constexpr (!std::is_array_v<T>) {
    value = wire_decode<T>(from);
  } else if constexpr (wire<T>.image) {
    std::memcpy(static_cast<void*>(value), from.take(sizeof(T)), sizeof(T));
  } else {
    for (auto& element : value) fill(from, element);
  }
}

template <class T>
struct coder<T, wire_kind::array> {
  template <class Sink>
  static void encode(Sink& to, T const& value) {
    for (auto const& element : value) wire_encode(to, element);
  }

  template <class Source>
  static std::decay_t<T> decode(Source& from) {
    using element = typename T::value_type;
    if constexpr (std::is_default_constructible_v<element> && std::is_move_assignable_v<element>) {
      T result{};
      for (auto& each : result) fill(from, each);
      return result;
    } else {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return T{{((void)I, wire_decode<std::remove_const_t<element>>(from))...}};
      }
      (std::make_index_sequence<std::tuple_size_v<T>>{});
    }
  }
};

template <class T>
struct coder<T, wire_kind::product> {
  template <class Sink>
  static void encode(Sink& to, T const& value) {
    std::apply([&to](auto const&... element) { (wire_encode(to, element), ...); }, value);
  }

  template <class Source>
  static T decode(Source& from) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return T{wire_decode<std::remove_const_t<std::tuple_element_t<I, T>>>(from)...};
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  }
};

template <class T>
struct coder<T, wire_kind::aggregate> {
  template <class Sink>
  static void encode(Sink& to, T const& value) {
    [[maybe_unused]] level_if<reach_of<T>.recurses> const deeper(codec_access::state(to), &fail_deep_value);
    with_members(value, [&to](auto const&... member) { (wire_encode(to, member), ...); });
  }

  template <class Source>
  static T decode(Source& from) {
    if constexpr (reach_of<T>.recurses) {
      level const deeper(codec_access::state(from), &fail_deep_message);
      return decode_as(from, members_of<T>{});
    } else {
      return decode_as(from, members_of<T>{});
    }
  }

 private:
  template <class Source, class... M>
  static T decode_as(Source& from, type_list<M...>) {
    if constexpr ((std::is_array_v<M> || ...)) {
      T result{};
      with_members(result, [&from](auto&... member) { (fill(from, member), ...); });
      return result;
    } else {
      return T{wire_decode<std::remove_const_t<M>>(from)...};
    }
  }
};

template <class T>
struct coder<T, wire_kind::defined> {
  template <class Sink>
  static void encode(Sink& to, T const& value) {
    typer::write(to, value);
  }

  static T decode(byte_reader& from) {
    T result{};
    typer::read(from, result);
    return result;
  }
};

}  // namespace sheaf::detail

/// The encoding of what holds one value or another: optional, expected, variant.
namespace sheaf::detail {

[[noreturn, gnu::cold]] void fail_valueless();
[[noreturn, gnu::cold]] void fail_alternative(std::uint64_t number, std::size_t alternatives);

template <class T>
struct coder<T, wire_kind::optional> {
  using element = std::remove_const_t<typename T::value_type>;

  template <class Sink>
  static void encode(Sink& to, T const& value) {
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

  template <class Sink>
  static void encode(Sink& to, T const& value) {
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
  template <class Sink>
  static void encode(Sink& to, T const& value) {
    if (value.valueless_by_exception()) fail_valueless();
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
