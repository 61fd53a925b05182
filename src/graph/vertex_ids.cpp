// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/vertex_ids.hpp"

#include <algorithm>

#include "sheaf/graph/detail/exchange.hpp"

namespace sheaf {

namespace {

using parts = std::vector<detail::part_for<std::vector<std::uint64_t>>>;

/// Distinct and ascending, for each owner.
parts by_owner(graph_shape const& g, std::vector<std::uint64_t> numbers) {
  std::erase_if(numbers, [&](std::uint64_t number) { return number >= g.vertices(); });
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  parts all;
  for (std::uint64_t const number : numbers) {
    std::uint32_t const owner = g.map().owner(number);
    if (all.empty() || all.back().rank != owner) all.push_back({owner, {}});
    all.back().values.push_back(number);
  }
  return all;
}

}  // namespace

std::vector<std::uint64_t> ids_of(graph_shape const& g, std::span<std::uint64_t const> numbers) {
  std::vector<std::uint64_t> ids(numbers.begin(), numbers.end());
  if (g.map().has_formula()) {
    for (std::uint64_t& each : ids) each = each < g.vertices() ? g.map().id(each) : each;
    return ids;
  }
  std::vector<std::uint64_t> asked, found;
  parts questions = by_owner(g, ids);
  for (auto const& each : questions) asked.insert(asked.end(), each.values.begin(), each.values.end());
  parts answers = detail::exchange_parts(g.members(), std::move(questions));
  std::uint64_t const first = g.map().first(g.members().rank());
  for (auto& each : answers) {
    for (std::uint64_t& number : each.values) number = g.id(static_cast<vertex>(number - first));
  }
  for (auto const& each : detail::exchange_parts(g.members(), std::move(answers)))
    found.insert(found.end(), each.values.begin(), each.values.end());
  for (std::uint64_t& each : ids) {
    if (each < g.vertices())
      each = found[static_cast<std::size_t>(std::ranges::lower_bound(asked, each) - asked.begin())];
  }
  return ids;
}

}  // namespace sheaf
