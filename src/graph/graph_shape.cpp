// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_shape.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "sheaf/base/error.hpp"
#include "sheaf/base/huge_pages.hpp"
#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/graph/detail/shape_parts.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

template <class T>
using parts_of = std::vector<detail::part_for<std::vector<T>>>;

/// Own vertices by id; nothing where they are in that order.
std::vector<vertex> order_of(std::span<std::uint64_t const> ids) {
  if (std::ranges::is_sorted(ids)) return {};
  std::vector<vertex> order(ids.size());
  std::iota(order.begin(), order.end(), vertex{0});
  std::ranges::sort(order, {}, [&](vertex v) { return ids[v]; });
  return order;
}

/// An undirected edge is in two rows, unless it is a loop.
std::uint64_t edges_of(adjacency const& rows, bool directed) {
  if (directed) return 2 * rows.targets.size();
  std::uint64_t twice = rows.targets.size();
  for (vertex v = 0; v + std::size_t{1} < rows.first.size(); ++v) twice += rows.count(v, v);
  return twice;
}

std::vector<std::uint64_t> empty_rows(adjacency const& rows) {
  std::vector<std::uint64_t> bits((rows.first.size() + 62) / 64);
  for (vertex v = 0; v + std::size_t{1} < rows.first.size(); ++v)
    bits[v / 64] |= std::uint64_t{rows.degree(v) == 0} << v % 64;
  return bits;
}

}  // namespace

graph_shape::graph_shape(detail::shape_parts&& parts)
    : team_(parts.members),
      map_(std::move(parts.map)),
      rank_(team_.rank()),
      local_(static_cast<vertex>(map_.count(rank_))),
      directed_(parts.directed),
      keeps_in_(parts.keeps_in),
      edges_(all_reduce(team_, edges_of(parts.out, directed_), std::plus<>{}) / 2),
      out_(std::move(parts.out)),
      in_(std::move(parts.in)),
      ids_(std::move(parts.own_ids)) {
  if (has_in()) not_entered_ = empty_rows(in());
  find_neighbours(parts.ghost_numbers);
  if (map_.has_formula()) return;
  by_id_ = order_of(ids_);
  find_ids_of_ghosts();
}

/// Owners learn of their mirrors.
void graph_shape::find_neighbours(std::vector<std::uint64_t> const& ghost_numbers) {
  parts_of<vertex> at_owners;
  detail::reserve_in_huge_pages(ghosts_, ghost_numbers.size());
  for (std::uint64_t const number : ghost_numbers) {
    std::uint32_t const rank = map_.owner(number);
    ghosts_.push_back({rank, static_cast<vertex>(number - map_.first(rank))});
    if (at_owners.empty() || at_owners.back().rank != rank) at_owners.push_back({rank, {}});
    at_owners.back().values.push_back(ghosts_.back().local);
  }
  for (auto const& each : at_owners) neighbours_.push_back(each.rank);
  parts_of<vertex> const mirrors = detail::exchange_parts(team_, std::move(at_owners));
  for (auto const& each : mirrors) neighbours_.push_back(each.rank);
  std::ranges::sort(neighbours_);
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  auto its = mirrors.begin();
  for (std::uint32_t const rank : neighbours_) {
    auto const ghost = std::ranges::lower_bound(ghosts_, rank, {}, &vertex_place::rank);
    ghost_bounds_.push_back(local_ + static_cast<vertex>(ghost - ghosts_.begin()));
    mirror_bounds_.push_back(mirrors_.size());
    if (its == mirrors.end() || its->rank != rank) continue;
    mirrors_.insert(mirrors_.end(), its->values.begin(), its->values.end());
    ++its;
  }
  ghost_bounds_.push_back(all());
  mirror_bounds_.push_back(mirrors_.size());
}

void graph_shape::find_ids_of_ghosts() {
  parts_of<std::uint64_t> ids;
  for (std::uint32_t const rank : neighbours_) {
    ids.push_back({rank, {}});
    for (vertex const v : mirrors_at(rank)) ids.back().values.push_back(ids_[v]);
  }
  for (auto const& each : detail::exchange_parts(team_, std::move(ids)))
    ids_.insert(ids_.end(), each.values.begin(), each.values.end());
}

adjacency const& graph_shape::in() const {
  if (!directed_) return out_;
  if (!keeps_in_)
    throw usage_error(
        "sheaf: this directed graph does not keep the edges that end at a vertex; build it with "
        "graph_options::in_edges");
  return in_;
}

std::optional<vertex> graph_shape::find_number(std::uint64_t number) const {
  if (number >= vertices()) return {};
  std::uint32_t const rank = map_.owner(number);
  auto const local = static_cast<vertex>(number - map_.first(rank));
  if (rank == rank_) return local;
  auto const [first_ghost, behind] = ghosts_of(rank);
  auto const first = ghosts_.begin() + (first_ghost - local_), last = ghosts_.begin() + (behind - local_);
  auto const at = std::lower_bound(first, last, local, [](vertex_place a, vertex b) { return a.local < b; });
  if (at == last || at->local != local) return {};
  return local_ + static_cast<vertex>(at - ghosts_.begin());
}

std::optional<vertex> graph_shape::find(std::uint64_t id) const {
  if (map_.has_formula()) {
    if (id >= vertices()) return {};
    std::uint64_t const number = map_.number(id), first = map_.first(rank_);
    if (number - first >= local_) return {};
    return static_cast<vertex>(number - first);
  }
  auto const id_of = [this](vertex k) { return ids_[by_id_.empty() ? k : by_id_[k]]; };
  std::uint64_t low = 0, high = local_;
  while (low < high) {
    std::uint64_t const middle = low + (high - low) / 2;
    id_of(static_cast<vertex>(middle)) < id ? low = middle + 1 : high = middle;
  }
  auto const at = static_cast<vertex>(low);
  if (at == local_ || id_of(at) != id) return {};
  return by_id_.empty() ? at : by_id_[at];
}

std::size_t graph_shape::bytes() const {
  auto const of = [](auto const& all) { return all.size() * sizeof(all[0]); };
  return of(out_.first) + of(out_.targets) + of(in_.first) + of(in_.targets) + of(ghosts_) + of(ids_) + of(by_id_) +
         of(neighbours_) + of(ghost_bounds_) + of(mirror_bounds_) + of(mirrors_) + of(not_entered_);
}

}  // namespace sheaf
