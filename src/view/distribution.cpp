// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/view/distribution.hpp"

#include <algorithm>
#include <string>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf {
namespace {

[[noreturn]] void refuse(std::string const& what, call_site from) {
  throw usage_error("sheaf: " + what + detail::called_at(from));
}

/// In descending order.
std::vector<std::uint32_t> prime_factors(std::uint32_t of) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t factor = 2; of > 1; ++factor) {
    if (std::uint64_t{factor} * factor > of) factor = of;
    for (; of % factor == 0; of /= factor) found.push_back(factor);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

/// Each factor goes to the dimension that has least so far.
std::vector<std::uint32_t> shared_among(std::uint32_t members, std::size_t dimensions) {
  std::vector<std::uint32_t> parts(dimensions, 1);
  if (dimensions == 0) return parts;
  for (std::uint32_t const factor : prime_factors(members)) *std::min_element(parts.begin(), parts.end()) *= factor;
  std::sort(parts.rbegin(), parts.rend());
  return parts;
}

}  // namespace

block_cyclic_partition distribution::over(std::uint64_t extent, std::uint32_t coordinates, call_site from) const {
  std::uint64_t const least = std::max<std::uint64_t>(extent / coordinates + (extent % coordinates != 0 ? 1 : 0), 1);
  std::uint64_t const length = kind_ == form::cyclic || length_ != 0 ? length_ : least;
  if (kind_ == form::cyclic && length == 0)
    refuse("a cyclic distribution has blocks of 0 indices; give 1 or more", from);
  if (kind_ == form::block && length < least) {
    refuse("a block distribution of " + std::to_string(extent) + " indices on " + std::to_string(coordinates) +
               " coordinates has blocks of " + std::to_string(length) + "; give at least " + std::to_string(least) +
               ", or 0",
           from);
  }
  if (kind_ == form::collapsed && coordinates != 1) {
    refuse(
        "a collapsed dimension has " + std::to_string(coordinates) + " coordinates of the process grid; give it 1 or 0",
        from);
  }
  return {extent, coordinates, length};
}

std::vector<std::uint32_t> process_grid(std::uint32_t members, std::span<distribution const> how,
                                        std::span<std::uint32_t const> given, call_site from) {
  if (!given.empty() && given.size() != how.size()) {
    refuse("a process grid of " + std::to_string(given.size()) + " dimensions is given for an array of " +
               std::to_string(how.size()) + "; give one number for each dimension",
           from);
  }
  std::vector<std::uint32_t> grid(how.size());
  std::uint64_t fixed = 1;
  std::size_t chosen = 0;
  for (std::size_t d = 0; d < how.size(); ++d) {
    grid[d] = given.empty() ? 0 : given[d];
    if (grid[d] == 0 && how[d].kind() == distribution::form::collapsed) grid[d] = 1;
    chosen += grid[d] == 0 ? 1 : 0;
    fixed = std::min(fixed * std::max(grid[d], 1U), std::uint64_t{1} << 32U);
  }
  if (fixed > members || (chosen > 0 && members % fixed != 0)) {
    refuse("the numbers given for a process grid multiply to " + std::to_string(fixed) + ", and the team has " +
               std::to_string(members) + " members; give " +
               (chosen > 0 ? "a divisor of that" : "1 to " + std::to_string(members)) + ", or 0 to have them chosen",
           from);
  }
  auto const shares = shared_among(members / static_cast<std::uint32_t>(fixed), chosen);
  auto next = shares.begin();
  for (std::uint32_t& one : grid) {
    if (one == 0) one = *next++;
  }
  return grid;
}

}  // namespace sheaf
