// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace sheaf::detail {

/// What stands for no limit, and for what the system does not say.
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Bytes that this machine can give to processes now: MemAvailable, or what the control group of this process still
/// allows if that is less (its page cache counts as free). `root` is "" or, in a test, a folder with proc and sys in
/// it.
std::uint64_t available_memory(std::string const& root = "");

/// How many more threads the control groups of this process allow; version 2 only.
std::uint64_t available_threads(std::string const& root = "");

/// The limit to raise where the system has refused a thread just now: "ulimit -v" where the address space has no room
/// for another stack, else "ulimit -u".
char const* limit_of_threads();

/// "16.8 MB", "12.2 GB".
std::string in_bytes(std::uint64_t bytes);

}  // namespace sheaf::detail
