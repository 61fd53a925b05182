// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// An algorithm of one's own on a distributed graph: how wide a load can go from town 1 to each other one, when the
/// narrowest road of a path counts. A vertex that learns of a wider path tells its neighbours.
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/sheaf.hpp"

constexpr std::uint64_t towns = 100'000;

/// Each member gives some: a ring of narrow roads, and wider ones between towns that are far from each other.
std::vector<sheaf::edge<int>> roads_of(std::uint64_t rank, std::uint64_t members) {
  std::vector<sheaf::edge<int>> roads;
  for (std::uint64_t town = rank; town < towns; town += members) {
    roads.push_back({town, (town + 1) % towns, static_cast<int>(2 + town % 3)});
    roads.push_back({town, town * 48271 % towns, static_cast<int>(3 + town % 7)});
  }
  return roads;
}

int main() {
  return sheaf::run([](sheaf::team world) {
    auto const map = sheaf::build_graph(world, roads_of(world.rank(), world.size()), {.directed = false});

    sheaf::vertex_values<int> width(map, 0);
    sheaf::vertex_messages<int> reach(map, [&](sheaf::vertex town, int wide) {
      if (wide <= width[town]) return;
      width[town] = wide;
      map.for_each_edge(town, [&](sheaf::vertex to, int road) { reach.send(to, std::min(wide, road)); });
    });
    sheaf::epoch(world, [&] {
      if (auto const start = map.find(1)) reach.send(*start, std::numeric_limits<int>::max());
    });

    auto const wide = static_cast<std::uint64_t>(std::ranges::count_if(width.own(), [](int w) { return w >= 4; }));
    std::uint64_t const all = sheaf::all_reduce(world, wide, std::plus<>{});
    sheaf::print0(world, "a load of width 4 gets from town 1 to %lu of %lu towns\n", all, map.vertices());
    return all == 98411 ? 0 : 1;
  });
}
