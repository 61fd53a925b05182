// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Rings between processes that a test plays in one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "transport/mpi/host_rings.hpp"

namespace sheaf_test {

class ring_memory {
 public:
  /// Between the first `on_host` of `processes`; `slots` 0: nobody shares anything. Positions begin at `start`.
  ring_memory(std::uint32_t processes, std::uint32_t on_host, std::uint32_t slots, std::uint32_t start = 0)
      : shape_{on_host, slots}, places_(processes, sheaf::mpi::host_rings::elsewhere), lines_(shape_.bytes() / 64) {
    for (std::uint32_t i = 0; i < on_host; ++i) places_[i] = i;
    for (std::size_t at = 0; at < shape_.bytes() && slots != 0; at += shape_.ring_bytes()) {
      reinterpret_cast<sheaf::mpi::host_ring*>(lines_[at / 64].bytes)->taken = start;
    }
  }

  sheaf::mpi::host_rings of(std::uint32_t rank) {
    if (shape_.slots == 0 || places_[rank] == sheaf::mpi::host_rings::elsewhere) return {};
    return {lines_.data()->bytes, shape_, places_, rank};
  }

 private:
  struct alignas(64) line {
    std::byte bytes[64] = {};
  };
  sheaf::mpi::ring_shape shape_;
  std::vector<std::uint32_t> places_;
  std::vector<line> lines_;
};

}  // namespace sheaf_test
