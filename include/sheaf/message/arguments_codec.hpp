// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "sheaf/message/codec.hpp"

namespace sheaf {

namespace detail {

template <class... A, std::size_t... I>
constexpr bool explain_arguments(std::index_sequence<I...>) {
  return (explain<A, argument<I + 1>>::done && ...);
}

}  // namespace detail

/// The arguments of one request, one after another without padding. A are values: no references, not const.
/// A pack of fixed size is written and read in place, each argument by a plain store and load at a constant offset.
template <class... A>
struct arguments_codec {
  static_assert(detail::explain_arguments<A...>(std::index_sequence_for<A...>{}));

  static constexpr bool fixed = (sheaf::fixed_size<A> && ...);

  /// Bytes of every encoding; 0 unless `fixed`.
  static constexpr std::size_t fixed_size = fixed ? (detail::wire<A>.least + ... + 0) : 0;

  /// The encoding depends on pointees or user code: its size may be wrong, or change when requests are executed.
  static constexpr bool outside = (detail::reach_of<A>.outside || ...);

  [[nodiscard]] static std::size_t size(A const&... a) {
    detail::sizing sum;
    (detail::wire_encode(sum, a), ...);
    return sum.total;
  }

  static void encode([[maybe_unused]] byte_writer& to, A const&... a) {
    [[maybe_unused]] detail::sharing_if<shares> const scope(to);
    (detail::wire_encode(to, a), ...);
  }

  /// Writes `fixed_size` bytes.
  static void encode(std::byte* to, A const&... a) requires fixed {
    byte_writer writer(to, to + fixed_size);
    encode(writer, a...);
  }

  /// Throws `decode_error` as `codec<T>::decode` does.
  [[nodiscard]] static std::tuple<A...> decode([[maybe_unused]] byte_reader& from) {
    if constexpr (fixed) {
      detail::unchecked_reader checked(from.take(fixed_size));
      return std::tuple<A...>{detail::wire_decode<A>(checked)...};
    } else {
      [[maybe_unused]] detail::sharing_if<shares> const scope(from);
      return std::tuple<A...>{detail::wire_decode<A>(from)...};
    }
  }

  /// Argument I of `fixed_size` bytes that the caller has checked to be there.
  template <std::size_t I>
  requires fixed [[nodiscard]] static std::tuple_element_t<I, std::tuple<A...>> load(std::byte const* from) {
    detail::unchecked_reader checked(from + offsets_[I]);
    return detail::wire_decode<std::tuple_element_t<I, std::tuple<A...>>>(checked);
  }

 private:
  /// All arguments together are one unit for shared pointers.
  static constexpr bool shares = (detail::reach_of<A>.shares || ...);

  static constexpr auto offsets_ = [] {
    std::array<std::size_t, sizeof...(A) + 1> offsets{};
    std::size_t i = 0;
    ((offsets[i + 1] = offsets[i] + detail::wire<A>.least, ++i), ...);
    return offsets;
  }();
};

}  // namespace sheaf
