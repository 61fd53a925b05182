// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/partition.hpp"

namespace sheaf {

/// How the indices of one dimension of an array lie on the coordinates of a process grid (High Performance Fortran's
/// formats). Each is block-cyclic with some length of block.
class distribution {
 public:
  enum class form : std::uint8_t { collapsed, block, cyclic };

  /// All on one coordinate: HPF's `*`.
  static constexpr distribution collapsed() noexcept { return {form::collapsed, 0}; }
  /// One block for each coordinate, of `length` indices, which times the coordinates are at least as many as there are
  /// indices. 0: the least such length. The last blocks may be shorter, or empty.
  static constexpr distribution block(std::uint64_t length = 0) noexcept { return {form::block, length}; }
  /// Blocks of `length` indices, dealt out in turn.
  static constexpr distribution cyclic(std::uint64_t length = 1) noexcept { return {form::cyclic, length}; }

  [[nodiscard]] constexpr form kind() const noexcept { return kind_; }
  /// As given.
  [[nodiscard]] constexpr std::uint64_t length() const noexcept { return length_; }

  /// The owners of `extent` indices among `coordinates` ≥ 1. Local. Throws usage_error where blocks are too short, a
  /// cyclic length is 0, or a collapsed dimension has several coordinates.
  [[nodiscard]] block_cyclic_partition over(std::uint64_t extent, std::uint32_t coordinates,
                                            call_site from = call_site::here()) const;

  bool operator==(distribution const&) const = default;

 private:
  constexpr distribution(form kind, std::uint64_t length) noexcept : length_(length), kind_(kind) {}

  std::uint64_t length_;
  form kind_;
};

/// The shape of a process grid of `members` processes: how many coordinates each dimension has. `given` has a number
/// for each dimension, or 0 where it is to be chosen, or is empty: all are. Collapsed dimensions get 1; the others
/// share what is left as evenly as its prime factors permit, the first ones getting most. The product is `members`, or
/// less where no dimension is left to be chosen. Local. Throws usage_error where the given numbers do not fit. (As
/// MPI_Dims_create.)
[[nodiscard]] std::vector<std::uint32_t> process_grid(std::uint32_t members, std::span<distribution const> how,
                                                      std::span<std::uint32_t const> given = {},
                                                      call_site from = call_site::here());

}  // namespace sheaf
