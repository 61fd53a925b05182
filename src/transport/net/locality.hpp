// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/base/location_id.hpp"

namespace sheaf::net {

/// Which locations are near those of one process: the locations of all processes of its host that share memory,
/// whatever their ranks.
struct locality {
  static constexpr std::uint32_t elsewhere = ~std::uint32_t{0};

  /// `ranks`: the processes that share memory with `self`, itself among them; empty: it is alone.
  locality(std::uint32_t processes, std::uint32_t lanes, std::span<std::uint32_t const> ranks, std::uint32_t self)
      : number_on_host(std::size_t{processes} * lanes, elsewhere) {
    std::uint32_t const alone[] = {self};
    for (std::uint32_t const rank : ranks.empty() ? std::span(alone) : ranks) {
      for (std::uint32_t l = rank * lanes; l < (rank + 1) * lanes; ++l) {
        number_on_host[l] = static_cast<std::uint32_t>(on_host.size());
        on_host.push_back(location_id{l});
      }
    }
    all_near = on_host.size() == number_on_host.size();
  }

  std::vector<std::uint32_t> number_on_host;  ///< by location; or elsewhere
  std::vector<location_id> on_host;           ///< by that number
  bool all_near = false;
};

}  // namespace sheaf::net
