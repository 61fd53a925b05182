// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sheaf/view/array_section.hpp"

namespace sheaf {

/// An array of N dimensions whose elements lie at the members of a team, by a distribution for each dimension over a
/// grid of processes. Ranks are numbered over the grid in C order. Each member's part is dense, in C order, in shared
/// memory, its bytes zero at first. (Adlib's distributed arrays; ARMCI paper, 3.2.)
template <memory_type T, std::size_t N>
class distributed_array {
  static_assert(N >= 1 && N <= detail::array_layout::most_dimensions,
                "sheaf::distributed_array: an array has 1 to 15 dimensions");
  static_assert(alignof(T) <= 64, "sheaf::distributed_array: elements are aligned to at most 64 bytes");
  static_assert(!std::is_const_v<T>, "sheaf::distributed_array: elements are not const");

 public:
  using element_type = T;
  using indices = std::array<std::uint64_t, N>;

  /// Collective over the team, with equal arguments. `grid`: coordinates for each dimension, 0 where they are to be
  /// chosen (process_grid). Costs what shared_array costs, and an all_gather of 8 bytes. Complete on return. Throws
  /// usage_error where the arguments do not fit together, or differ between members, and error where a member has no
  /// memory.
  distributed_array(team const& members, indices const& extents, std::array<distribution, N> const& how,
                    std::array<std::uint32_t, N> const& grid = {}, call_site from = call_site::here())
      : core_(members, {members.size(), extents, how, grid, from}, sizeof(T), from) {}
  /// Moving: sections of the one that is moved from may not be used any more. Destroying is local: before, all members
  /// have ended their operations on the array.
  distributed_array(distributed_array&&) noexcept = default;

  [[nodiscard]] std::uint64_t extent(std::size_t dimension) const { return core_.layout.map(dimension).elements(); }
  /// Who owns the indices of a dimension: coordinates of the grid.
  [[nodiscard]] block_cyclic_partition const& partition(std::size_t dimension) const {
    return core_.layout.map(dimension);
  }

  /// Part of the array: a slice, or an index, for each dimension. Local; operations check it.
  template <std::convertible_to<slice>... S>
  requires(sizeof...(S) == N) [[nodiscard]] array_section<T, N> section(S const&... of) const {
    return {*this, {slice(of)...}};
  }

  // Local: the caller's own elements.
  [[nodiscard]] std::span<T> own() const noexcept {
    auto const bytes = core_.memory.own();
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  /// Of the part. Zeros where the caller has none.
  [[nodiscard]] indices own_extents() const {
    auto const part = core_.layout.part(core_.members.rank());
    indices all;
    for (std::size_t d = 0; d < N; ++d) all[d] = part[d];
    return all;
  }
  /// The indices of an element of own(). Throws usage_error where there is none.
  [[nodiscard]] indices indices_of(std::uint64_t number) const {
    indices all;
    core_.layout.indices_of({core_.members.rank(), number}, all);
    return all;
  }

  // Local, for any element: its owner, its number in the owner's part, its address. Throw usage_error where there is
  // no such index.
  [[nodiscard]] std::uint32_t owner(indices const& of) const { return core_.layout.find(of).rank; }
  [[nodiscard]] std::uint64_t number(indices const& of) const { return core_.layout.find(of).number; }
  [[nodiscard]] global_ptr<T> at(indices const& of) const {
    auto const spot = core_.layout.find(of);
    return core_.memory.at(spot.rank).template as<T>() + static_cast<std::ptrdiff_t>(spot.number);
  }

  [[nodiscard]] team const& members() const noexcept { return core_.members; }
  [[nodiscard]] detail::array_core const& core() const noexcept { return core_; }

 private:
  detail::array_core core_;
};

}  // namespace sheaf
