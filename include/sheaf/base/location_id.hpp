// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

namespace sheaf {

/// A location's number in the job, 0…N−1. It is not a rank in a team.
enum class location_id : std::uint32_t {};

/// The plain number, for indexing and printing.
constexpr std::uint32_t number(location_id id) noexcept { return static_cast<std::uint32_t>(id); }

namespace detail {

/// "location 3".
inline std::string name_of(location_id id) { return "location " + std::to_string(number(id)); }

}  // namespace detail
}  // namespace sheaf
