// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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

/// encode and decode of one kind; the sink is a `byte_writer` or `sizing`. Arrays of the language: `fill` alone.
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
    [[maybe_unused]] level_if<level_itself<T>> const deeper(to);
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
    [[maybe_unused]] level_if<level_itself<T>> const deeper(from);
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
  static void encode(auto& to, T const& value) {
    for (auto const& element : value) wire_encode(to, element);
  }

  static std::decay_t<T> decode(auto& from) {
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
  static void encode(auto& to, T const& value) {
    std::apply([&to](auto const&... element) { (wire_encode(to, element), ...); }, value);
  }

  static T decode(auto& from) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return T{wire_decode<std::remove_const_t<std::tuple_element_t<I, T>>>(from)...};
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  }
};

template <class T>
struct coder<T, wire_kind::aggregate> {
  static void encode(auto& to, T const& value) {
    [[maybe_unused]] level_if<reach_of<T>.recurses> const deeper(to);
    with_members(value, [&to](auto const&... member) { (wire_encode(to, member), ...); });
  }

  static T decode(auto& from) {
    [[maybe_unused]] level_if<reach_of<T>.recurses> const deeper(from);
    return decode_as(from, members_of<T>{});
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
  static void encode(auto& to, T const& value) { typer::write(to, value); }

  static T decode(byte_reader& from) {
    T result{};
    typer::read(from, result);
    return result;
  }
};

[[noreturn, gnu::cold]] void fail_valueless();
[[noreturn, gnu::cold]] void fail_alternative(std::uint64_t number, std::size_t alternatives);

template <class T>
struct coder<T, wire_kind::optional> {
  using element = std::remove_const_t<typename T::value_type>;

  static void encode(auto& to, T const& value) {
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

  static void encode(auto& to, T const& value) {
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
  static void encode(auto& to, T const& value) {
    if (value.valueless_by_exception()) fail_valueless();
    to.count(value.index());
    with_value(value, [&](auto const& held) { wire_encode(to, held); });
  }

  static T decode(byte_reader& from) { return decode_as<0>(from, from.number(), typename alternatives<T>::types{}); }

 private:
  static constexpr std::size_t count = []<class... A>(type_list<A...>) {
    return sizeof...(A);
  }(typename alternatives<T>::types{});

  static void with_value(T const& value, auto f) {
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

/// An element whose encoding may be empty follows a zero byte, so that a count never promises more elements than bytes.
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

template <class C, wire_kind Kind>
requires(Kind == wire_kind::sequence || Kind == wire_kind::associative ||
         Kind == wire_kind::forward) struct coder<C, Kind> {
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
    } else if constexpr (Kind == wire_kind::forward) {
      auto last = result.before_begin();
      decode_each(from, n, [&](element&& each) { last = result.insert_after(last, std::move(each)); });
    } else {
      reserve(result, n, from.remaining());
      decode_each(from, n, [&](element&& each) { append(result, std::move(each)); });
    }
    if constexpr (Kind == wire_kind::sequence) {
      if (std::size_t const kept = count_of(result); kept != n) [[unlikely]]
        fail_full(n, kept);
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
  static void decode_each(byte_reader& from, std::size_t n, auto add) {
    if constexpr (wire<element>.fixed) {
      unchecked_reader checked(from.take(n * element_least<element>));
      decode_from(checked, n, add);
    } else {
      decode_from(from, n, add);
    }
  }
  static void decode_from(auto& from, std::size_t n, auto& add) {
    for (std::size_t i = 0; i != n; ++i) {
      if constexpr (filler<element> != 0) (void)from.take(1);
      add(wire_decode<element>(from));
    }
  }

  /// Takes no more memory at once than the message has bytes, or than its elements surely need.
  static void reserve(C& result, std::size_t n, std::size_t remaining) {
    if constexpr (Kind == wire_kind::sequence && requires { result.reserve(n); }) {
      std::size_t const within = remaining / sizeof(element) + 1;
      result.reserve(wire<element>.fixed || n < within ? n : within);
    }
  }

  static void append(C& result, element&& each) {
    if constexpr (Kind == wire_kind::associative) {
      result.insert(result.end(), std::move(each));
    } else if constexpr (requires { result.push_back(std::move(each)); }) {
      result.push_back(std::move(each));
    } else {
      result.emplace_back(std::move(each));
    }
  }
};

/// A valarray has neither begin() nor append.
template <class T>
struct coder<T, wire_kind::numeric> {
  using element = typename T::value_type;

  static void encode(auto& to, T const& value) {
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

  static void encode(auto& to, T const& value) { wire_encode(to, opened<T>::container(value)); }

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
  static void encode(auto& to, T const& value) { wire_encode(to, value.native()); }
  static T decode(byte_reader& from) { return T(wire_decode<typename T::string_type>(from)); }
};

}  // namespace sheaf::detail
