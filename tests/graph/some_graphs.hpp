// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/serial.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/graph.hpp"

namespace sheaf_test {

/// A graph of a few hundred vertices at most, with ids 0…n−1, and how to distribute it.
template <class E>
struct some_graph {
  std::vector<sheaf::edge<E>> edges;
  sheaf::graph_options how;
  std::uint64_t n = 0;

  [[nodiscard]] std::vector<sheaf::edge<E>> kept() const {
    if (how.parallel_edges) return edges;
    return serial::simple(edges, how.directed);
  }
  /// Those that no edge names, not even one that is not kept, are not in graphs whose distribution has no formula.
  [[nodiscard]] std::vector<serial::id> vertices() const {
    bool const all =
        how.distribution != sheaf::vertex_distribution::hash && how.distribution != sheaf::vertex_distribution::degree;
    serial::rows const both = serial::rows_of(edges, n, false);
    std::vector<serial::id> found;
    for (serial::id v = 0; v < n; ++v) {
      if (all || !both[v].empty()) found.push_back(v);
    }
    return found;
  }
  /// The member's part of them.
  [[nodiscard]] std::vector<sheaf::edge<E>> part(sheaf::team const& world) const {
    std::vector<sheaf::edge<E>> mine;
    for (std::size_t i = world.rank(); i < edges.size(); i += world.size()) mine.push_back(edges[i]);
    return mine;
  }
  [[nodiscard]] sheaf::graph<E> build(sheaf::team const& world) const {
    return sheaf::build_graph(world, part(world), how);
  }
};

constexpr std::uint64_t graph_seeds = 48;

namespace some_graphs {

using ends = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Paths through all vertices, in any order.
inline ends paths(std::mt19937_64& next, std::uint64_t n) {
  std::vector<std::uint64_t> order(n);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::ranges::shuffle(order, next);
  ends all;
  for (std::uint64_t i = 0; i + 1 < n; ++i) {
    if (next() % 32 != 0) all.emplace_back(order[i], order[i + 1]);
  }
  return all;
}

/// Ends that are drawn twice, the smaller taken, so that some vertices have many edges.
inline ends drawn(std::mt19937_64& next, std::uint64_t n, std::uint64_t count) {
  ends all;
  for (std::uint64_t i = 0; i < count; ++i) {
    all.emplace_back(std::min(next() % n, next() % n), next() % n);
    if (i % 8 == 0) all.push_back(all[next() % all.size()]);  // parallel edges
    if (i % 16 == 0) all.emplace_back(i % n, i % n);
  }
  return all;
}

}  // namespace some_graphs

/// Paths, sparse and dense ones, some with loops and parallel edges; with seed 0 without vertices, 1 with one alone.
/// `value(next)` makes an edge's value. Undirected ones have even seeds.
template <class E = sheaf::no_value, class Value>
some_graph<E> make_graph(std::uint64_t seed, Value value) {
  std::mt19937_64 next(seed);
  some_graph<E> all;
  all.n = seed < 2 ? seed : 2 + next() % 200;
  some_graphs::ends ends;
  if (seed >= 2)
    ends = seed / 2 % 3 == 0 ? some_graphs::paths(next, all.n)
                             : some_graphs::drawn(next, all.n, all.n * (seed / 2 % 3 == 1 ? 1 : 8));
  for (auto const& [source, target] : ends) all.edges.push_back({source, target, value(next)});
  constexpr sheaf::vertex_distribution distributions[] = {
      sheaf::vertex_distribution::block, sheaf::vertex_distribution::cyclic, sheaf::vertex_distribution::hash,
      sheaf::vertex_distribution::degree};
  all.how.directed = seed % 2 == 1;
  all.how.in_edges = seed % 4 == 1;
  all.how.loops = all.how.parallel_edges = seed % 5 < 2;
  all.how.distribution = distributions[seed / 2 % 4];
  all.how.vertices = all.n;
  return all;
}
inline some_graph<sheaf::no_value> make_graph(std::uint64_t seed) {
  return make_graph<sheaf::no_value>(seed, [](auto&) { return sheaf::no_value{}; });
}

/// Tests of this class run on these graphs, over threads and in the simulator.
class over_graphs : public over {
 protected:
  /// Calls test(world, seed) for each seed, on teams of several sizes.
  template <class F>
  static void each(F const& test) {
    for (unsigned const members : {1U, 2U, 3U, 4U, 7U}) {
      run(members, [&](sheaf::team const& world) {
        for (std::uint64_t seed = 0; seed < graph_seeds; ++seed) {
          SCOPED_TRACE("seed " + std::to_string(seed) + " on " + std::to_string(members) + " members");
          test(world, seed);
        }
      });
    }
  }
};

}  // namespace sheaf_test
