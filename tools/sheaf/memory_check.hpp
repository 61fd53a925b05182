// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf::tool {

/// Bytes that sorting needs on all locations of one machine together: the text, per line a reference that may be held
/// twice while its table grows, and a part for buffers on their way.
std::uint64_t sort_memory(std::uint64_t text_bytes, std::uint64_t lines) noexcept;

/// Throws text_error, with the values and the remedy, if sorting would need more than `available`.
void check_sort_memory(std::uint64_t text_bytes, std::uint64_t lines, std::uint64_t available);

}  // namespace sheaf::tool
