// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sheaf/base/partition.hpp"
#include "sheaf/memory/allocation.hpp"
#include "sheaf/view/distribution.hpp"
#include "sheaf/view/slice.hpp"

/// Distributed arrays of elements of so many bytes: what is compiled once for all types. (Adlib's DAD, the distributed
/// array descriptor, with the table of base addresses that its form on ARMCI had.)
namespace sheaf::detail {

/// Where the elements of an array lie. Ranks are numbered over the process grid in C order. The part of a member is
/// dense, in C order. Members beyond the grid have nothing.
class array_layout {
 public:
  /// As many as a strided transfer has room for, two levels each. Fortran 2008's limit, too.
  static constexpr std::size_t most_dimensions = 15;

  /// Throws usage_error where the arguments do not fit together, or the elements are more than there are addresses.
  array_layout(std::uint32_t members, std::span<std::uint64_t const> extents, std::span<distribution const> how,
               std::span<std::uint32_t const> grid, call_site from);

  [[nodiscard]] std::size_t dimensions() const noexcept { return maps_.size(); }
  /// The owners in one dimension.
  [[nodiscard]] block_cyclic_partition const& map(std::size_t dimension) const noexcept { return maps_[dimension]; }
  /// Members that may have elements: the product of the grid.
  [[nodiscard]] std::uint32_t owners() const noexcept { return owners_; }
  /// The coordinate in a dimension of rank < owners().
  [[nodiscard]] std::uint32_t coordinate(std::uint32_t rank, std::size_t dimension) const noexcept {
    return rank / below_[dimension] % static_cast<std::uint32_t>(maps_[dimension].members());
  }
  /// The extents of a member's part; zeros where it has none.
  [[nodiscard]] std::vector<std::uint64_t> part(std::uint32_t rank) const;
  /// How many elements a member has.
  [[nodiscard]] std::uint64_t count(std::uint32_t rank) const;

  /// Where the element with these indices is: the owner, and the number in its part.
  struct spot {
    std::uint32_t rank;
    std::uint64_t number;
  };
  [[nodiscard]] spot find(std::span<std::uint64_t const> indices) const;
  /// The other way. Both throw usage_error where there is no such element.
  void indices_of(spot const& of, std::span<std::uint64_t> indices) const;

  bool operator==(array_layout const&) const = default;

 private:
  std::vector<block_cyclic_partition> maps_;
  std::vector<std::uint32_t> below_;  ///< the distance of ranks whose coordinates in a dimension differ by one
  std::uint32_t owners_ = 1;
};

/// An array, and where it is stored.
struct array_core {
  /// Collective over the team. Throws usage_error on all members where their arguments differ, or a part has more bytes
  /// than there are addresses.
  array_core(team const& members, array_layout of, std::size_t bytes, call_site from);

  team members;
  array_layout layout;
  std::size_t element;             ///< bytes
  shared_array<std::byte> memory;  ///< by rank
  std::uint64_t identity =
      0;  ///< the same on all members; no two arrays that live have the same, if they have elements
};

/// Slices of an array, one for each dimension.
struct core_section {
  array_core const* array;
  std::span<slice const> slices;
};

/// Each slice with its count, where it was open; a step of 1, where there are no two indices. Throws usage_error where
/// an index is out of range.
std::vector<slice> checked_slices(core_section const& of, char const* what, call_site from);

/// The counts of checked slices, as texts have them.
std::string shape_text(std::span<slice const> slices);

/// Integers that say where to gather from.
struct core_subscript {
  core_section values;
  bool is_signed;
};

/// Collective, before the array ends. The job ends where members give different arrays.
void meet_to_end(array_core const& array, char const* what, call_site where);

/// As the typed functions of remap.hpp and section_transfer.hpp.
void remap(core_section const& to, core_section const& from, call_site where);
void gather(core_section const& to, array_core const& from, std::span<core_subscript const> at, call_site where);
/// Memory of the caller: an element for each of a section, steps in bytes for each dimension.
struct plain_memory {
  std::byte* first;
  std::vector<std::ptrdiff_t> steps;

  /// Dense, in C order.
  static plain_memory dense(std::byte* first, std::span<slice const> checked, std::size_t element);
};
void put(core_section const& checked, plain_memory const& from, call_site where);
void get(core_section const& checked, plain_memory const& to, call_site where);

}  // namespace sheaf::detail
