// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::detail {

/// An IPv6 address; one of IPv4 as ::ffff:a.b.c.d.
using ip_address = std::array<std::uint8_t, 16>;
inline constexpr ip_address loopback_address{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1};

bool is_ipv4(ip_address const& a) noexcept;

/// Addresses at which other hosts may reach this one, of IPv4 first: of all networks that are up, but loopback and
/// those that mean something on one cable only.
std::vector<ip_address> own_addresses();

}  // namespace sheaf::detail
