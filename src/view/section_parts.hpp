// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/memory/detail/one_sided.hpp"
#include "sheaf/view/detail/array_core.hpp"
#include "view/progressions.hpp"

namespace sheaf::detail {

/// Elements of one member, or of plain memory, by positions of a section.
struct near_part {
  std::byte* first;
  std::vector<std::vector<progression>> positions;  ///< by dimension
  std::vector<std::ptrdiff_t> steps;                ///< of places, in bytes

  [[nodiscard]] bool is_empty() const;
  /// A member's own elements, at `first` in the form of its part. The slices are checked.
  static near_part owned_by(std::uint32_t rank, core_section const& of, std::byte* first);
};

/// A section of an array against a near part with the same positions: what each owner has of it, as strided pieces. It
/// finds the positions that an owner's coordinate shares with the near part once for each dimension and coordinate.
class section_parts {
 public:
  /// Both stay as long as this.
  section_parts(core_section const& checked, near_part const& near);

  /// Puts the near part there, or gets it from there, owner by owner from `first_rank` on. Complete locally, as
  /// one_sided's operations are.
  void put_all(one_sided& by, std::uint32_t first_rank);
  void get_all(one_sided& by, std::uint32_t first_rank);

 private:
  template <class F>
  void each_owner(std::uint32_t first_rank, F const& f);
  template <class F>
  void each_piece(std::uint32_t rank, F const& f);
  std::vector<shared_run> const& shared(std::size_t dimension, std::uint32_t coordinate);

  array_core const& array_;
  std::span<slice const> slices_;
  near_part const& near_;
  struct found {
    bool known = false;
    std::vector<shared_run> runs;
  };
  std::vector<std::vector<found>> shared_;           ///< by dimension and coordinate
  std::vector<std::vector<shared_run> const*> now_;  ///< of the owner at hand, by dimension
};

}  // namespace sheaf::detail
