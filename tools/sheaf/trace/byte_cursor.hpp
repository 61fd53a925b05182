// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::tool {

/// Takes a whole number of 7 bits a byte off the front of `rest`. False: it is cut off, or larger than 64 bits.
inline bool take_number(std::string_view& rest, std::uint64_t& to) {
  to = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    auto const byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    if (shift == 63 && byte > 1) return false;
    to |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace sheaf::tool
