// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>

namespace sheaf::detail {

/// A pointer to a member function as the Itanium C++ ABI represents it, which all our compilers follow.
struct method_bits {
  std::uint64_t word = 0;       ///< the address; of a virtual function 1 + its offset in the table of such; 0: null
  std::int64_t adjustment = 0;  ///< what is added to the object's address before the call

  [[nodiscard]] bool is_virtual() const { return (word & 1U) != 0; }
  bool operator==(method_bits const&) const = default;
};

/// The same for all processes of a job, wherever they have loaded the code.
struct travelling_bits {
  std::uint64_t module = 0;     ///< identity of the file that has the function; 0: a virtual one
  std::uint64_t offset = 0;     ///< in that file; of a virtual function in the table of such
  std::int64_t adjustment = 0;  ///< as above
};

template <class M>
method_bits bits_of(M method) {
  static_assert(sizeof(M) == sizeof(method_bits), "sheaf: pointers to methods are not of the Itanium C++ ABI");
  method_bits bits;
  std::memcpy(static_cast<void*>(&bits), &method, sizeof bits);
  return bits;
}

}  // namespace sheaf::detail
