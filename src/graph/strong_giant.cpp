// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The giant strongly connected component. Result: it is taken out; the rest is three parts. Method: a search forward
/// and one backward (Fleischer, Hendrickson, Pinar: On Identifying Strongly Connected Components in Parallel, IPDPS
/// workshops 2000) from the vertex with the largest product of degrees (Slota, Rajamanickam, Madduri: BFS and
/// Coloring-based Parallel Algorithms for Strongly Connected Components, IPDPS 2014). Data: a bit for each own vertex
/// and ghost, as these stay in cache. Both searches are one epoch, without levels, which reachability does not need.
#include "graph/strong_giant.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "graph/bitmap.hpp"
#include "graph/ghost_bits.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

/// What a search along one direction of edges reaches. While it reaches much, vertices that are not reached look for
/// one that is (Beamer), in sweeps over all, each of which uses what it has found itself; then those found last go on.
class reachable {
 public:
  reachable(strong_rest& rest, adjacency const& rows, adjacency const& back)
      : rest_(rest), rows_(rows), back_(back), reached_(rest.g.all()) {}

  [[nodiscard]] bool operator[](vertex v) const { return reached_[v]; }
  void add(vertex v) {
    if (reached_[v]) return;
    reached_.set(v);
    found_.push_back(v);
  }

  /// Ghosts get their owners' bits. Collective.
  void pull() { pull_bits(rest_.g, reached_, {&reached_}); }
  /// The number of own vertices that it has found.
  std::uint64_t sweep() {
    found_.clear();
    for (vertex v = 0; v < rest_.g.local(); ++v) {
      if (!reached_[v] && std::ranges::any_of(back_.row(v), [this](vertex w) { return reached_[w]; })) add(v);
    }
    return found_.size();
  }
  /// From those that were found last, one step or to the end. In an epoch.
  void step() {
    for (vertex const v : std::exchange(found_, {})) expand(v);
  }
  void run_on() {
    runs_on_ = true;
    for (vertex const v : std::exchange(found_, {})) work_.add(v);
  }

 private:
  void reach(vertex v) {
    if (reached_[v]) return;
    reached_.set(v);
    runs_on_ ? work_.add(v) : found_.push_back(v);
  }
  void expand(vertex v) {
    for (vertex const w : rows_.row(v)) {
      if (reached_[w]) continue;
      if (rest_.g.is_local(w)) {
        reach(w);
      } else {
        reached_.set(w);
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
  adjacency const &rows_, &back_;
  bitmap reached_;
  std::vector<vertex> found_;  // which have not gone on
  bool runs_on_ = false;
  work_list<expanding> work_{rest_.g, expanding{*this}};
  vertex_messages<> arrive_{rest_.g, [this](vertex v) { reach(v); }};
};

/// Both directions to the end, from what each has found. Sweeps are worth it while they reach a 16th of all vertices.
void search(graph_shape const& g, reachable& forward, reachable& backward) {
  epoch(g.members(), [&] {
    forward.step();
    backward.step();
  });
  for (std::uint64_t found = g.vertices(); found > g.vertices() / 16;) {
    forward.pull();
    backward.pull();
    found = all_reduce(g.members(), forward.sweep() + backward.sweep(), std::plus<>{});
  }
  epoch(g.members(), [&] {
    forward.run_on();
    backward.run_on();
  });
}

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
  reachable forward(rest, rest.out, rest.in), backward(rest, rest.in, rest.out);
  best_vertex const pivot = find_pivot(g);
  double const mean = static_cast<double>(g.edges()) / static_cast<double>(g.vertices() + 1);
  if (static_cast<double>(pivot.product) <= 2 * mean * mean) return false;
  auto const own = g.find_number(pivot.number);
  if (own && g.is_local(*own)) {
    forward.add(*own);
    backward.add(*own);
  }
  search(g, forward, backward);
  for (vertex v = 0; v < g.local(); ++v) {
    rest.part[v] = (forward[v] ? 1U : 0U) + (backward[v] ? 2U : 0U);
    if (rest.part[v] != 3) continue;
    rest.part[v] = strong_rest::gone;
    rest.name[v] = pivot.number;
  }
  return true;
}

}  // namespace sheaf::detail
