// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sheaf/base/options.hpp"

namespace sheaf::detail {

/// Into how many equal shares a process's budget for buffers that are being filled is divided: one for each of its
/// locations, so that none asks another. Where there are several processes a location has two: its outboxes, and its
/// packets for other hosts. The simulator is one process, whose memory is real, whatever it plays. `lanes`:
/// endpoint::lanes().
inline std::size_t budget_shares(transport_kind transport, std::uint32_t locations, std::uint32_t lanes) {
  switch (transport) {
    case transport_kind::thread:
    case transport_kind::sim:
      return locations;
    default:
      return std::size_t{2} * lanes;
  }
}

}  // namespace sheaf::detail
