// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "sheaf/message/detail/nesting.hpp"

namespace sheaf {

/// Bytes that `byte_writer::count(n)` writes: 1 below 128, at most 10.
[[nodiscard]] constexpr std::size_t count_size(std::uint64_t n) {
  std::size_t bytes = 1;
  for (; n >= 0x80U; n >>= 7U) ++bytes;
  return bytes;
}

namespace detail {

[[noreturn, gnu::cold]] void fail_full_region(std::size_t wanted, std::size_t left);

/// A value at any address. Storing one, unlike copying its bytes, tells the compiler that nothing of another type has
/// changed, so that a loop that issues requests keeps its destinations' addresses in registers.
template <class T>
struct [[gnu::packed]] unaligned {
  T value;
};

}  // namespace detail

/// Writes values one after another, unpadded, into memory of the caller, who makes it large enough beforehand
/// (`codec<T>::size`). What would go beyond it is a usage_error.
class byte_writer {
 public:
  byte_writer(std::byte* begin, std::byte* end) : position_(begin), end_(end) {}

  void bytes(void const* from, std::size_t size) {
    check(size);
    if (size != 0) std::memcpy(position_, from, size);
    position_ += size;
  }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void value(T const& v) {
    if constexpr (std::is_scalar_v<T>) {
      ::new (static_cast<void*>(skip(sizeof(T)))) detail::unaligned<T>{v};
    } else {
      bytes(&v, sizeof(T));
    }
  }

  /// Writes a number of elements, seven bits per byte, low bits first.
  void count(std::uint64_t n) {
    for (; n >= 0x80U; n >>= 7U) value(static_cast<std::uint8_t>(n | 0x80U));
    value(static_cast<std::uint8_t>(n));
  }

  /// Hands out the next `size` bytes; the caller fills them.
  [[nodiscard]] std::byte* skip(std::size_t size) {
    check(size);
    std::byte* const at = position_;
    position_ += size;
    return at;
  }

  [[nodiscard]] std::byte* position() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - position_); }

 private:
  friend struct detail::codec_access;

  void check(std::size_t size) const {
    if (size > remaining()) [[unlikely]]
      detail::fail_full_region(size, remaining());
  }

  std::byte* position_;
  std::byte* end_;
  detail::nesting state_;
};

namespace detail {

/// Replaces a byte_writer to measure a value: adds up the bytes that would be written.
class sizing {
 public:
  void bytes(void const*, std::size_t size) { total += size; }
  template <class T>
  void value(T const&) {
    total += sizeof(T);
  }
  void count(std::uint64_t n) { total += count_size(n); }

  std::size_t total = 0;

 private:
  friend struct codec_access;

  share_slot own_;
  nesting state_{&own_, 0};
};

template <class Sink>
inline constexpr bool only_measures = std::is_same_v<Sink, sizing>;

}  // namespace detail
}  // namespace sheaf
