// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "sheaf/message/byte_reader.hpp"
#include "sheaf/message/byte_writer.hpp"
#include "sheaf/message/detail/coder.hpp"
#include "sheaf/message/detail/container_coder.hpp"
#include "sheaf/message/detail/explain.hpp"
#include "sheaf/message/travels_as_bytes.hpp"

namespace sheaf {

/// T can travel between locations: arithmetic types, enums, other trivially copyable types (closures too) without
/// pointers as far as can be seen, strings, containers, pairs, tuples, arrays and optionals of such, aggregates of up
/// to 24 such members, and every type with a codec of its own. What a closure captured by reference cannot be seen.
template <class T>
concept codec_type = detail::wire<std::remove_const_t<T>>
.why == detail::hindrance::none;

/// Every T has an encoding of `fixed_wire_size<T>` bytes, without a count or a choice in it.
template <class T>
concept fixed_size = codec_type<T> && detail::wire<std::remove_const_t<T>>
.fixed;

template <fixed_size T>
inline constexpr std::size_t fixed_wire_size = detail::wire<std::remove_const_t<T>>.least;

/// How values of T are written as bytes. Specialise it, with these three functions, for a type that the library cannot
/// take apart; such a type may be move-only and needs no default constructor:
///
///     template <> struct sheaf::codec<account> {
///       static std::size_t size(account const& a) { return codec<std::string>::size(a.name()); }
///       static void encode(byte_writer& to, account const& a) { codec<std::string>::encode(to, a.name()); }
///       static account decode(byte_reader& from) { return account(codec<std::string>::decode(from)); }
///     };
///
/// The format is that of one build on like processors, not one to store.
template <class T>
struct codec {
  using is_the_librarys = void;

  /// Exactly the bytes that `encode` writes.
  [[nodiscard]] static std::size_t size(T const& value) {
    static_assert(detail::explain<T>::done);
    if constexpr (codec_type<T>) return detail::wire_size(value);
  }

  static void encode(byte_writer& to, T const& value) {
    static_assert(detail::explain<T>::done);
    if constexpr (codec_type<T>) detail::wire_encode(to, value);
  }

  /// Throws `decode_error` where the bytes end too early or a count cannot be. Any other bytes give some T; a bool is
  /// never but true or false, an enum has any value of its underlying type.
  [[nodiscard]] static T decode(byte_reader& from) {
    static_assert(detail::explain<T>::done);
    if constexpr (codec_type<T>) return detail::wire_decode<T>(from);
  }
};

}  // namespace sheaf
