// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The loop over the messages of a run, for handlers that are simple: the test active.vectorized reads in the
/// compiler's report that it has vectorized it.
#include <cstdint>

#include "sheaf/messages.hpp"

namespace sheaf_test {

struct add {
  std::uint64_t* sum;
  void operator()(std::uint32_t v) noexcept { *sum += v; }
};
struct largest {
  std::uint64_t value = 0;
  void operator()(std::uint64_t v) noexcept { value = value < v ? v : value; }
};

}  // namespace sheaf_test

template struct sheaf::detail::receiving<std::uint32_t, sheaf_test::add, sheaf::detail::touches_nothing>;
template struct sheaf::detail::receiving<std::uint64_t, sheaf_test::largest, sheaf::detail::touches_nothing>;
