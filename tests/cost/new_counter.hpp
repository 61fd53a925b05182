// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf_test {

/// Calls of operator new in this process, and bytes that they gave and nobody has given back.
std::uint64_t news() noexcept;
std::int64_t bytes_in_use() noexcept;

}  // namespace sheaf_test
