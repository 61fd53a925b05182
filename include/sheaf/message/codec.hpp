// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "sheaf/base/error.hpp"
#include "sheaf/message/byte_reader.hpp"
#include "sheaf/message/byte_writer.hpp"
#include "sheaf/message/detail/coder.hpp"
#include "sheaf/message/detail/explain.hpp"
#include "sheaf/message/detail/typer_members.hpp"
#include "sheaf/message/typer.hpp"

namespace sheaf {

/// T can travel between locations: arithmetic types, enums, other trivially copyable types (closures too) without
/// pointers as far as can be seen; the standard library's containers, container adaptors, strings, std::array, bitset,
/// valarray, complex, pair, tuple, optional, variant, expected, durations and time points, filesystem::path, and what
/// looks like them; aggregates of up to 24 members that travel; classes with `define_type` (typer.hpp); every type with
/// a codec of its own. Smart pointers need sheaf/std.hpp. Elements may be move-only or without a default constructor,
/// and a type may contain itself by way of containers and pointers, to a depth of 200. The whole list is in
/// docs/specification/codec.md. The library cannot see what a closure captures by reference.
template <class T>
concept codec_type = detail::wire<std::remove_const_t<T>>
.why == detail::hindrance::none&& detail::reach_of<std::remove_const_t<T>>.travels;

/// Every value of T has an encoding of `fixed_wire_size<T>` bytes, without a count or an alternative.
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
/// The three are called where the request or the result is issued and where it arrives, on these locations' threads;
/// they send nothing and wait for nothing. `encode` writes as many bytes as `size` said. If `size` or `encode` throws,
/// the issuing call throws it and nothing has been sent; for a method's result, it is as if the method had thrown. An
/// `encode` that writes fewer or more bytes is a usage_error in the same way. `decode` throws `decode_error` for
/// illegal bytes; any exception ends the job, as the end of the value is unknown. It bounds its own recursion.
///
/// The format is for one build on processors of one kind; do not store it.
template <class T>
struct codec {
  using is_the_librarys = void;

  /// Exactly the bytes that `encode` writes.
  [[nodiscard]] static std::size_t size(T const& value) {
    static_assert(detail::explain<T>::done);
    if constexpr (codec_type<T>) {
      detail::sizing sum;
      detail::wire_encode(sum, value);
      return sum.total;
    }
  }

  static void encode(byte_writer& to, T const& value) {
    static_assert(detail::explain<T>::done);
    if constexpr (codec_type<T>) {
      [[maybe_unused]] detail::sharing_if<detail::reach_of<T>.shares> const scope(to);
      detail::wire_encode(to, value);
    }
  }

  /// Throws `decode_error` where the bytes end too early, or a count, an alternative or a reference to a shared object
  /// is illegal. Other bytes give some T; a bool is true or false, an enum any value of its underlying type.
  [[nodiscard]] static T decode(byte_reader& from) {
    static_assert(detail::explain<T>::done);
    if constexpr (codec_type<T>) {
      [[maybe_unused]] detail::sharing_if<detail::reach_of<T>.shares> const scope(from);
      return detail::wire_decode<T>(from);
    }
  }
};

}  // namespace sheaf

namespace sheaf::detail {

[[noreturn]] void throw_wrong_size(std::size_t said, std::ptrdiff_t written);

/// Has `write(byte_writer&)` fill the room. If user code takes part (`Outside`), a wrong size is a usage_error.
template <bool Outside, class Write>
void write_exactly(std::span<std::byte> room, Write write) {
  byte_writer to(room.data(), room.data() + room.size());
  write(to);
  if constexpr (Outside) {
    if (to.position() != room.data() + room.size()) [[unlikely]]
      throw_wrong_size(room.size(), to.position() - room.data());
  }
}

}  // namespace sheaf::detail
