// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The giant strongly connected component. Result: it is taken out; the rest is three parts. Method: a search forward
/// and one backward (Fleischer, Hendrickson, Pinar: On Identifying Strongly Connected Components in Parallel, IPDPS
/// workshops 2000) from the vertex with the largest product of degrees (Slota, Rajamanickam, Madduri: BFS and
/// Coloring-based Parallel Algorithms for Strongly Connected Components, IPDPS 2014). Data: a bit for each own vertex
/// and ghost, as these stay in cache. Both searches are one epoch, without levels, which reachability does not need.
#include "graph/strong_giant.hpp"

#include "graph/bitmap.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

class reachable {
 public:
  reachable(strong_rest& rest, adjacency const& rows) : rest_(rest), rows_(rows), reached_(rest.g.all()) {}

  [[nodiscard]] bool operator[](vertex v) const { return reached_[v]; }
  void add(vertex v) {
    if (reached_[v]) return;
    reached_.set(v);
    work_.add(v);
  }

 private:
  void expand(vertex v) {
    for (vertex const w : rows_.row(v)) {
      if (reached_[w]) continue;
      reached_.set(w);
      if (rest_.g.is_local(w)) {
        work_.add(w);
      } else {
        ++rest_.messages;
        arrive_.send(w);
      }
    }
  }
  struct expanding {
    reachable& all;
    void operator()(vertex v) const { all.expand(v); }
  };

  strong_rest& rest_;
  adjacency const& rows_;
  bitmap reached_;
  work_list<expanding> work_{rest_.g, expanding{*this}};
  vertex_messages<> arrive_{rest_.g, [this](vertex v) { add(v); }};
};

struct best_vertex {
  std::uint64_t product = 0, number = 0;

  /// As an operation.
  static best_vertex larger(best_vertex const& a, best_vertex const& b) {
    if (a.product != b.product) return a.product > b.product ? a : b;
    return a.number < b.number ? a : b;
  }
};

best_vertex find_pivot(graph_shape const& g) {
  best_vertex best;
  for (vertex v = 0; v < g.local(); ++v) {
    std::uint64_t const product = g.out().degree(v) * g.in().degree(v);
    if (product > best.product) best = {product, g.number(v)};
  }
  return all_reduce(g.members(), best, &best_vertex::larger);
}

}  // namespace

bool find_giant(strong_rest& rest) {
  graph_shape const& g = rest.g;
  reachable forward(rest, rest.out), backward(rest, rest.in);
  best_vertex const pivot = find_pivot(g);
  double const mean = static_cast<double>(g.edges()) / static_cast<double>(g.vertices() + 1);
  if (static_cast<double>(pivot.product) <= 2 * mean * mean) return false;
  epoch(g.members(), [&] {
    auto const own = g.find_number(pivot.number);
    if (!own || !g.is_local(*own)) return;
    forward.add(*own);
    backward.add(*own);
  });
  for (vertex v = 0; v < g.local(); ++v) {
    rest.part[v] = (forward[v] ? 1U : 0U) + (backward[v] ? 2U : 0U);
    if (rest.part[v] == 3) rest.finish(v, pivot.number);
  }
  rest.sweep();
  return true;
}

}  // namespace sheaf::detail
