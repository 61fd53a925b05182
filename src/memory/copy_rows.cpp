// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstring>

#include "memory/avx2.hpp"
#include "memory/kernels.hpp"

namespace sheaf::detail {
namespace {

/// One load and one store where the processor has registers of 32 bytes, else two of each.
struct [[gnu::packed, gnu::may_alias]] wide {
  typedef unsigned char bytes [[gnu::vector_size(32)]];  // Clang takes no other byte
  bytes value;
};

/// memcpy of a size that the compiler knows is a few loads and stores.
template <std::size_t Row>
[[gnu::always_inline]] inline void copy_sized(paired_rows::block const& of) noexcept {
  std::byte* to = of.to;
  std::byte const* from = of.from;
  std::size_t left = of.count;
  for (; left >= 4; left -= 4, to += 4 * of.to_step, from += 4 * of.from_step) {
    std::memcpy(to, from, Row);
    std::memcpy(to + of.to_step, from + of.from_step, Row);
    std::memcpy(to + 2 * of.to_step, from + 2 * of.from_step, Row);
    std::memcpy(to + 3 * of.to_step, from + 3 * of.from_step, Row);
  }
  for (; left > 0; --left, to += of.to_step, from += of.from_step) std::memcpy(to, from, Row);
}

[[gnu::always_inline]] inline void copy_wide(std::byte* to, std::byte const* from) noexcept {
  reinterpret_cast<wide*>(to)->value = reinterpret_cast<wide const*>(from)->value;
}

/// Rows of 32 bytes and more; the last 32 of a row may be copied in part twice.
[[gnu::always_inline]] inline void copy_middle(paired_rows::block const& of) noexcept {
  std::byte* to = of.to;
  std::byte const* from = of.from;
  std::size_t const last = of.row - sizeof(wide);
  for (std::size_t left = of.count; left > 0; --left, to += of.to_step, from += of.from_step) {
    std::size_t at = 0;
    for (; at + sizeof(wide) < last; at += 2 * sizeof(wide)) {
      copy_wide(to + at, from + at);
      copy_wide(to + at + sizeof(wide), from + at + sizeof(wide));
    }
    if (at < last) copy_wide(to + at, from + at);
    copy_wide(to + last, from + last);
  }
}

void copy_large(paired_rows::block const& of) noexcept {
  std::byte* to = of.to;
  std::byte const* from = of.from;
  for (std::size_t left = of.count; left > 0; --left, to += of.to_step, from += of.from_step) {
    std::memcpy(to, from, of.row);
  }
}

[[gnu::always_inline]] inline void copy(paired_rows::block const& of) noexcept {
  constexpr std::size_t most_middle = 512;
  switch (of.row) {
    case 1:
      return copy_sized<1>(of);
    case 2:
      return copy_sized<2>(of);
    case 4:
      return copy_sized<4>(of);
    case 8:
      return copy_sized<8>(of);
    case 12:
      return copy_sized<12>(of);
    case 16:
      return copy_sized<16>(of);
    case 24:
      return copy_sized<24>(of);
    default:
      return of.row >= sizeof(wide) && of.row <= most_middle ? copy_middle(of) : copy_large(of);
  }
}

SHEAF_AVX2 void copy_by_avx2(paired_rows::block const& of) noexcept { copy(of); }

}  // namespace

void copy_rows(paired_rows::block const& of) noexcept {
  if (of.count == 1) return static_cast<void>(std::memmove(of.to, of.from, of.row));
  has_avx2() ? copy_by_avx2(of) : copy(of);
}

}  // namespace sheaf::detail
