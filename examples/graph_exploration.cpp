// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Explores a random graph (AM++ §4.2): the handler of a message marks a vertex, and sends messages to its neighbours.
/// An epoch ends when no message is left. vs_mpi/mpi_graph_exploration.cpp does the same in plain MPI.
#include <functional>
#include <vector>

#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"

constexpr std::uint64_t vertices = 200'000, degree = 8;

/// A cycle through all vertices, and random edges.
std::uint64_t neighbour(std::uint64_t vertex, std::uint64_t edge) {
  if (edge == 0) return (vertex + 1) % vertices;
  std::uint64_t const mixed = (vertex * degree + edge) * 0x9E3779B97F4A7C15u;
  return (mixed ^ mixed >> 29) % vertices;
}

int main() {
  return sheaf::run([](sheaf::team world) {
    using partition = sheaf::block_partition;
    partition const owner(vertices, world.size());
    std::vector<bool> explored(owner.count(world.rank()));
    std::uint64_t count = 0;

    sheaf::message_type<std::uint64_t, sheaf::unordered, sheaf::addressed<partition>> explore(
        world,
        [&](std::uint64_t vertex) {
          if (explored[owner.local(vertex)]) return;
          explored[owner.local(vertex)] = true;
          ++count;
          for (std::uint64_t edge = 0; edge < degree; ++edge) explore.send(neighbour(vertex, edge));
        },
        {}, {owner});

    std::uint64_t const all = sheaf::epoch(
        world,
        [&] {
          if (world.rank() == 0) explore.send(0);
        },
        [&] { return count; }, std::plus<>{});
    sheaf::print0(world, "%lu of %lu vertices explored\n", all, vertices);
    return all == vertices ? 0 : 1;
  });
}
