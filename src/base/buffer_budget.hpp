// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sheaf/base/options.hpp"

namespace sheaf::detail {

/// Into how many equal shares a process's budget for buffers that are being filled is divided: one for each of its
/// locations, so that none asks another; with several processes two, for its outboxes and its packets for other hosts.
/// The simulator is one process, whatever it plays. `lanes`: endpoint::lanes().
inline std::size_t budget_shares(transport_kind transport, std::uint32_t locations, std::uint32_t lanes) {
  bool const one_process = transport == transport_kind::thread || transport == transport_kind::sim;
  return one_process ? locations : std::size_t{2} * lanes;
}

/// Buffers for the locations of another process share a packet, and its size; but none is too small for its header.
inline std::size_t far_buffer_bytes(options const& settings, std::uint32_t lanes) {
  constexpr std::size_t worth_while = 1024;
  return std::max(settings.buffer_bytes / lanes, std::min(settings.buffer_bytes, worth_while));
}

}  // namespace sheaf::detail
