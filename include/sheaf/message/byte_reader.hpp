// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <type_traits>

#include "sheaf/base/error.hpp"
#include "sheaf/message/detail/nesting.hpp"

namespace sheaf {

namespace detail {

[[noreturn, gnu::cold]] void fail_short(std::size_t wanted, std::size_t left);
[[noreturn, gnu::cold]] void fail_count(std::uint64_t count, std::size_t each, std::size_t left);
[[noreturn, gnu::cold]] void fail_full(std::size_t count, std::size_t kept);
[[noreturn, gnu::cold]] void fail_count_form();

/// Returns `decode()`; if it throws, calls `failed(why)`, which does not return. Errors that end the job pass.
auto decode_catching(auto decode, auto failed) {
  try {
    return decode();
  } catch (ends_job const&) {
    throw;
  } catch (std::exception const& why) {  // a decode_error, or what a user's codec throws
    failed(why.what());
  } catch (...) {
    failed("an unknown exception");
  }
  __builtin_unreachable();
}

}  // namespace detail

/// Reads what `byte_writer` wrote. The bytes may come from anywhere: every read is checked against what is left and
/// throws `decode_error`. The memory must outlive the reader and every pointer that `take` returned.
class byte_reader {
 public:
  explicit byte_reader(std::span<std::byte const> bytes) : position_(bytes.data()), remaining_(bytes.size()) {}
  byte_reader(std::byte const* begin, std::byte const* end)
      : position_(begin), remaining_(static_cast<std::size_t>(end - begin)) {}

  /// The next `size` bytes, in place and unaligned.
  [[nodiscard]] std::byte const* take(std::size_t size) {
    if (size > remaining_) [[unlikely]]
      detail::fail_short(size, remaining_);
    std::byte const* const at = position_;
    position_ += size;
    remaining_ -= size;
    return at;
  }

  /// The bytes of one T. For T = bool use `codec<bool>`, which accepts any byte.
  template <class T>
  requires(std::is_trivially_copyable_v<T>&& std::is_trivially_default_constructible_v<T> && !std::is_same_v<T, bool>)
      [[nodiscard]] T value() {
    T v;
    std::memcpy(&v, take(sizeof(T)), sizeof(T));
    return v;
  }

  /// A number of elements. One that cannot fit into the remaining bytes at `min_bytes_per_element` (1 or more) each is
  /// rejected, so that `count * min_bytes_per_element` never overflows and no memory is reserved for what never comes.
  [[nodiscard]] std::size_t count(std::size_t min_bytes_per_element) {
    std::uint64_t const n = number();
    if (n > remaining_ / min_bytes_per_element) [[unlikely]]
      detail::fail_count(n, min_bytes_per_element, remaining_);
    return static_cast<std::size_t>(n);
  }

  /// What `byte_writer::count` wrote, whatever it is.
  [[nodiscard]] std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      std::uint64_t const byte = value<std::uint8_t>();
      if (shift == 63 && byte > 1) break;
      n |= (byte & 0x7FU) << shift;
      if (byte < 0x80U) return n;
    }
    detail::fail_count_form();
  }

  [[nodiscard]] std::size_t remaining() const { return remaining_; }

 private:
  friend struct detail::codec_access;

  std::byte const* position_;
  std::size_t remaining_;
  detail::nesting state_{nullptr, 0, true};
};

}  // namespace sheaf
