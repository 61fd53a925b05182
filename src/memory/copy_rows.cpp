// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstring>

#include "memory/kernels.hpp"

namespace sheaf::detail {
namespace {

/// memcpy of a size that the compiler knows is a few loads and stores.
template <std::size_t Row>
void copy_sized(paired_rows::block const& of) noexcept {
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

void copy_any(paired_rows::block const& of) noexcept {
  std::byte* to = of.to;
  std::byte const* from = of.from;
  for (std::size_t left = of.count; left > 0; --left, to += of.to_step, from += of.from_step) {
    std::memcpy(to, from, of.row);
  }
}

}  // namespace

void copy_rows(paired_rows::block const& of) noexcept {
  if (of.count == 1) return static_cast<void>(std::memmove(of.to, of.from, of.row));
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
    case 32:
      return copy_sized<32>(of);
    case 40:
      return copy_sized<40>(of);
    case 48:
      return copy_sized<48>(of);
    case 56:
      return copy_sized<56>(of);
    case 64:
      return copy_sized<64>(of);
    case 80:
      return copy_sized<80>(of);
    case 96:
      return copy_sized<96>(of);
    case 128:
      return copy_sized<128>(of);
    default:
      return copy_any(of);
  }
}

}  // namespace sheaf::detail
