// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/strong_gather.hpp"

#include <functional>

#include "graph/local_components.hpp"
#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/message/typer.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

/// Units are numbered through over all members. For each of a member's units: its number in the graph; how many edges
/// begin there; and where these lead.
struct given_rows {
  std::vector<std::uint64_t> numbers;
  std::vector<vertex> degrees, targets;

  void define_type(typer& t) {
    t.local(numbers);
    t.local(degrees);
    t.local(targets);
  }
};

given_rows rows_of(strong_rest const& rest, vertex_values<vertex> const& place) {
  given_rows all;
  for (vertex const u : rest.left) {
    std::size_t const before = all.targets.size();
    rest.each_of(u, [&](vertex v) {
      for (vertex const w : rest.out.row(v)) {
        if (rest.part[w] == rest.part[u] && place[w] != strong_rest::gone) all.targets.push_back(place[w]);
      }
    });
    all.numbers.push_back(rest.g.number(u));
    all.degrees.push_back(static_cast<vertex>(all.targets.size() - before));
  }
  return all;
}

/// For each member the names of its units.
std::vector<std::vector<std::uint64_t>> names_of(std::vector<given_rows> const& given) {
  adjacency rows;
  std::vector<std::uint64_t> numbers;
  for (given_rows const& each : given) {
    numbers.insert(numbers.end(), each.numbers.begin(), each.numbers.end());
    rows.targets.insert(rows.targets.end(), each.targets.begin(), each.targets.end());
    for (vertex const degree : each.degrees) rows.first.push_back(rows.first.back() + degree);
  }
  std::vector<std::uint32_t> const one_part(numbers.size(), 0);
  local_components const found = find_local_components(rows, one_part, strong_rest::gone);
  std::vector<std::vector<std::uint64_t>> names;
  auto next = found.unit.begin();
  for (given_rows const& each : given) {
    names.emplace_back();
    for (std::size_t k = 0; k < each.numbers.size(); ++k) names.back().push_back(numbers[*next++]);
  }
  return names;
}

}  // namespace

void finish_at_one(strong_rest& rest) {
  team const& members = rest.g.members();
  vertex_values<vertex> place(rest.g, strong_rest::gone);
  std::uint64_t next = exclusive_scan(members, std::uint64_t{rest.left.size()}, std::uint64_t{0}, std::plus<>{});
  for (vertex const u : rest.left) {
    rest.each_of(u, [&](vertex v) { place[v] = static_cast<vertex>(next); });
    ++next;
  }
  place.pull();
  auto const given = gather(members, 0, rows_of(rest, place));
  std::vector<std::vector<std::uint64_t>> names(members.size());
  if (members.rank() == 0) names = names_of(given);
  names = detail::exchange(members, names);
  for (std::size_t k = 0; k < rest.left.size(); ++k) rest.finish(rest.left[k], names[0][k]);
  rest.left.clear();
}

}  // namespace sheaf::detail
