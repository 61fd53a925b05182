// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

namespace sheaf::tool {

/// Bytes that this machine can give to processes now: MemAvailable, or what the control group of this process still
/// allows if that is less (its page cache counts as free). `root` is "" or, in a test, a folder with proc and sys in
/// it. The largest integer where the system does not say.
std::uint64_t available_memory(std::string const& root = "");

/// Bytes that sorting needs on all locations of one machine together: the text, per line a reference that may be held
/// twice while its table grows, and a part for buffers on their way.
std::uint64_t sort_memory(std::uint64_t text_bytes, std::uint64_t lines) noexcept;

/// Throws text_error, with the values and the remedy, if sorting would need more than `available`.
void check_sort_memory(std::uint64_t text_bytes, std::uint64_t lines, std::uint64_t available);

}  // namespace sheaf::tool
