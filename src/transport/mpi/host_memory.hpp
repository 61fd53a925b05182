// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "transport/mpi/host_rings.hpp"
#include "transport/mpi/roll_call.hpp"
#include "transport/mpi/wire.hpp"

namespace sheaf::mpi {

/// Memory that the processes of this host share, for their rings; or none.
class host_memory {
 public:
  host_memory() = default;

  /// Collective. There is none where a process of this host does not want it (presence::host_memory) or cannot have it,
  /// where this process is the only one of its host, or one of too many.
  host_memory(wire& line, std::span<presence const> all);

  /// This process's ends; the memory must outlive them.
  [[nodiscard]] host_rings rings() const;

 private:
  struct unmap {
    std::size_t bytes;
    void operator()(std::byte* start) const noexcept;
  };
  using mapping = std::unique_ptr<std::byte[], unmap>;
  struct offer;

  [[nodiscard]] offer create();
  void open(offer const& one);

  std::vector<std::uint32_t> places_;  ///< by rank
  std::uint32_t self_ = 0;
  ring_shape shape_;
  mapping memory_{nullptr, unmap{0}};
};

/// Where each process stands among those of `self`'s host: 0, 1, …; host_rings::elsewhere: it is on another one. Empty
/// where they are to share no memory.
std::vector<std::uint32_t> places_on_host(std::span<presence const> all, std::uint32_t self);

}  // namespace sheaf::mpi
