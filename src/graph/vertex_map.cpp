// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/vertex_map.hpp"

#include <algorithm>
#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/base/partition.hpp"

namespace sheaf {

namespace {

void check_bounds(std::vector<std::uint64_t> const& bounds, std::uint64_t vertices, std::uint32_t members) {
  std::string const is_wrong = "sheaf: graph_options::bounds ";
  if (bounds.size() != members + std::size_t{1})
    throw usage_error(is_wrong + "has " + std::to_string(bounds.size()) + " numbers; a team of " +
                      std::to_string(members) + " needs one more than members");
  if (bounds.front() != 0 || !std::ranges::is_sorted(bounds)) throw usage_error(is_wrong + "must ascend from 0");
  if (bounds.back() < vertices)
    throw usage_error(is_wrong + "ends with " + std::to_string(bounds.back()) + ", but there are " +
                      std::to_string(vertices) + " vertices");
}

}  // namespace

vertex_map::vertex_map(graph_options const& how, std::uint64_t vertices, std::uint32_t members)
    : formula_(how.distribution == vertex_distribution::cyclic ? formula::cyclic : formula::same) {
  if (how.distribution == vertex_distribution::given) {
    check_bounds(how.bounds, vertices, members);
    bounds_ = how.bounds;
    return;
  }
  bounds_.assign(members + std::size_t{1}, 0);
  block_partition const blocks(vertices, members);  // cyclic counts are the same
  for (std::uint32_t r = 0; r < members; ++r) bounds_[r + std::size_t{1}] = bounds_[r] + blocks.count(r);
  find_each();
}

std::uint32_t vertex_map::search(std::uint64_t number) const {
  return static_cast<std::uint32_t>(std::upper_bound(bounds_.begin(), bounds_.end(), number) - bounds_.begin() - 1);
}

void vertex_map::find_each() {
  std::uint64_t const members = bounds_.size() - 1;
  if (vertices() % members == 0) each_ = vertices() / members;
}

}  // namespace sheaf
