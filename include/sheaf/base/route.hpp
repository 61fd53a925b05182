// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace sheaf {

/// By which path requests go from one location to another (AM++ §3.3). With all but `direct`, locations on the path
/// pass requests on, so that each location fills buffers for few others. `automatic`: chosen at the start.
enum class route_kind : std::uint8_t {
  automatic,  ///< direct among few, and while the budget gives each destination a buffer that is worth sending;
              ///< else the next one of node_wise, grid and hypercube of which that is true
  direct,     ///< straight to the destination: n − 1 others, one hop
  ring,       ///< from each location to the next one: 1 other, up to n − 1 hops
  hypercube,  ///< one bit of the number after the other: log2 n others and hops, rounded up, and perhaps one hop more
  dissemination,  ///< by powers of two around the ring: log2 n others and hops
  grid,           ///< along the own row to the destination's column, then along that: 2 √n others, two hops
  node_wise       ///< to the location of the own host that has the destination's number there, then to its host
};

/// The name in texts.
[[nodiscard]] char const* name(route_kind kind) noexcept;

/// One kind of path between `locations` numbered 0…n−1, of which each host has `per_host` in a row. A function of
/// source and destination alone: the path from any location on it is the rest of it.
class route {
 public:
  route() = default;
  /// `kind` is not automatic.
  route(route_kind kind, std::uint32_t locations, std::uint32_t per_host);

  [[nodiscard]] route_kind kind() const noexcept { return kind_; }

  /// The first location behind `from` on the path to `dest` != from.
  [[nodiscard]] std::uint32_t next(std::uint32_t from, std::uint32_t dest) const noexcept {
    if (kind_ >= route_kind::grid) return next_in_grid(from, dest);
    return kind_ == route_kind::direct ? dest : next_in_steps(from, dest);
  }
  /// Of a hop that is not the last of its path. Hypercube and dissemination: rises from hop to hop, but for locations
  /// beyond a power of two; others: 0. What a location holds for a stage leaves when those below are over.
  [[nodiscard]] std::uint32_t stage(std::uint32_t from, std::uint32_t next) const noexcept;
  static constexpr std::uint32_t last_stage = 32;  ///< of last hops, and of no other

  /// The most locations that one location sends to, and the most hops of a path.
  [[nodiscard]] std::uint32_t neighbours() const noexcept;
  [[nodiscard]] std::uint32_t most_hops() const noexcept;

  /// The kind that `automatic` stands for where each location may fill `bytes` of buffers.
  [[nodiscard]] static route_kind chosen(std::uint32_t locations, std::uint32_t per_host, std::size_t bytes);
  static constexpr std::size_t worth_sending = 256;  ///< bytes of a buffer that `chosen` wants for each neighbour
  static constexpr std::uint32_t few = 256;          ///< so many locations have no route by themselves

 private:
  [[nodiscard]] std::uint32_t next_in_grid(std::uint32_t from, std::uint32_t dest) const noexcept {
    std::uint32_t const row = from / columns_, to_row = dest / columns_;
    std::uint32_t const column = from - row * columns_, to_column = dest - to_row * columns_;
    if (row == to_row || column == to_column) return dest;
    std::uint32_t const corner = row * columns_ + to_column;
    return corner < count_ ? corner : to_row * columns_ + column;  // the last row may be short
  }
  [[nodiscard]] std::uint32_t next_in_steps(std::uint32_t from, std::uint32_t dest) const noexcept;

  route_kind kind_ = route_kind::direct;
  std::uint32_t count_ = 1;
  std::uint32_t columns_ = 1;
};

}  // namespace sheaf
