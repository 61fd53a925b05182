// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/graph/edge.hpp"

/// Graph algorithms on one core, as textbooks give them, against which the distributed ones are checked. Vertices are
/// 0…n−1. Nothing here uses Sheaf but for `edge`, or is fast. What is returned is of all vertices, in their order.
namespace sheaf_test::serial {

using sheaf::edge;
using id = std::uint64_t;

// --- Graphs -----------------------------------------------------------------------------------------------------

/// The targets of each vertex. Of an undirected graph, an edge is in the rows of both ends, and a loop in one row once.
using rows = std::vector<std::vector<id>>;

template <class W>
using weighted_rows = std::vector<std::vector<std::pair<id, W>>>;

/// Loops and parallel edges stay.
template <class E>
rows rows_of(std::vector<edge<E>> const& edges, id n, bool directed) {
  rows all(n);
  for (edge<E> const& each : edges) {
    all.at(each.source).push_back(each.target);
    if (!directed && each.source != each.target) all.at(each.target).push_back(each.source);
  }
  return all;
}

template <class W>
weighted_rows<W> weighted_rows_of(std::vector<edge<W>> const& edges, id n, bool directed) {
  weighted_rows<W> all(n);
  for (edge<W> const& each : edges) {
    all.at(each.source).emplace_back(each.target, each.value);
    if (!directed && each.source != each.target) all.at(each.target).emplace_back(each.source, each.value);
  }
  return all;
}

/// Without loops, and of parallel edges the one with the smallest value: what build_graph keeps if told nothing else.
/// Undirected edges become those with source < target.
template <class E>
std::vector<edge<E>> simple(std::vector<edge<E>> const& edges, bool directed) {
  std::map<std::pair<id, id>, std::vector<E>> values;
  for (edge<E> const& each : edges) {
    std::pair<id, id> ends{each.source, each.target};
    if (!directed) ends = std::minmax({each.source, each.target});
    if (ends.first != ends.second) values[ends].push_back(each.value);
  }
  std::vector<edge<E>> kept;
  for (auto& [ends, found] : values) {
    if constexpr (std::totally_ordered<E>) std::ranges::sort(found);
    kept.push_back({ends.first, ends.second, found.front()});
  }
  return kept;
}

inline rows reversed(rows const& out) {
  rows in(out.size());
  for (id v = 0; v < out.size(); ++v) {
    for (id const to : out[v]) in[to].push_back(v);
  }
  return in;
}

// --- Distances --------------------------------------------------------------------------------------------------

constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// Breadth-first levels: edges from the root, or `unreached`.
inline std::vector<std::uint32_t> levels(rows const& out, id root) {
  std::vector<std::uint32_t> level(out.size(), unreached);
  level.at(root) = 0;
  for (std::queue<id> queue({root}); !queue.empty(); queue.pop()) {
    id const from = queue.front();
    for (id const to : out[from]) {
      if (level[to] != unreached) continue;
      level[to] = level[from] + 1;
      queue.push(to);
    }
  }
  return level;
}

/// Of a vertex that no path leads to.
template <class W>
constexpr W far = std::numeric_limits<W>::has_infinity ? std::numeric_limits<W>::infinity()
                                                       : std::numeric_limits<W>::max();

/// Dijkstra's distances; weights are not negative.
template <class W>
std::vector<W> distances(weighted_rows<W> const& out, id root) {
  std::vector<W> best(out.size(), far<W>);
  using entry = std::pair<W, id>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
  best.at(root) = W{};
  queue.emplace(W{}, root);
  while (!queue.empty()) {
    auto const [distance, from] = queue.top();
    queue.pop();
    if (distance > best[from]) continue;
    for (auto const& [to, weight] : out[from]) {
      W const longer = distance + weight;
      if (longer < best[to]) queue.emplace(best[to] = longer, to);
    }
  }
  return best;
}

// --- Components -------------------------------------------------------------------------------------------------

/// Disjoint sets, each named by its smallest member.
class disjoint_sets {
 public:
  explicit disjoint_sets(id n) : up_(n) { std::iota(up_.begin(), up_.end(), id{0}); }

  id find(id v) {
    while (up_[v] != v) v = up_[v] = up_[up_[v]];
    return v;
  }
  /// Whether they were apart.
  bool unite(id a, id b) {
    auto const [low, high] = std::minmax({find(a), find(b)});
    up_[high] = low;
    return low != high;
  }

 private:
  std::vector<id> up_;
};

/// Components of the graph without directions. The label of a vertex is the smallest vertex of its component.
inline std::vector<id> components(rows const& out) {
  disjoint_sets sets(out.size());
  for (id v = 0; v < out.size(); ++v) {
    for (id const to : out[v]) sets.unite(v, to);
  }
  std::vector<id> label(out.size());
  for (id v = 0; v < out.size(); ++v) label[v] = sets.find(v);
  return label;
}

/// Labels that mean the same groups, in which the label is the group's smallest vertex. Two labellings mean the same
/// groups exactly if these are equal.
template <class Label>
std::vector<id> by_smallest(std::vector<Label> const& labels) {
  std::map<Label, id> smallest;
  std::vector<id> renamed;
  for (id v = 0; v < labels.size(); ++v) renamed.push_back(smallest.emplace(labels[v], v).first->second);
  return renamed;
}

/// The number of vertices with each label.
template <class Label>
std::map<Label, id> sizes(std::vector<Label> const& labels) {
  std::map<Label, id> size;
  for (Label const& each : labels) ++size[each];
  return size;
}

/// Tarjan's algorithm with a stack of its own.
class strong_search {
 public:
  explicit strong_search(rows const& out)
      : out_(out), order_(out.size(), 0), low_(out.size(), 0), next_(out.size(), 0), label_(out.size(), none) {}

  std::vector<id> labels() {
    for (id v = 0; v < out_.size(); ++v) {
      if (order_[v] == 0) search(v);
    }
    return by_smallest(label_);
  }

 private:
  static constexpr id none = ~id{0};

  void search(id root) {
    enter(root);
    while (!path_.empty()) {
      id const v = path_.back();
      if (next_[v] == out_[v].size()) {
        leave(v);
        continue;
      }
      id const to = out_[v][next_[v]++];
      if (order_[to] == 0) {
        enter(to);
      } else if (label_[to] == none) {  // still on the stack
        low_[v] = std::min(low_[v], order_[to]);
      }
    }
  }

  void enter(id v) {
    order_[v] = low_[v] = ++entered_;
    path_.push_back(v);
    stack_.push_back(v);
  }

  void leave(id v) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[v]);
    if (low_[v] != order_[v]) return;
    while (label_[v] == none) {
      label_[stack_.back()] = v;
      stack_.pop_back();
    }
  }

  rows const& out_;
  std::vector<id> order_, low_, next_, label_;
  std::vector<id> path_, stack_;
  id entered_ = 0;
};

/// Strongly connected components. The label of a vertex is the smallest vertex of its component.
inline std::vector<id> strong_components(rows const& out) { return strong_search(out).labels(); }

/// How many groups have more than one vertex.
inline id groups_of_several(std::vector<id> const& labels) {
  auto const all = sizes(labels);
  return static_cast<id>(std::ranges::count_if(all, [](auto const& each) { return each.second > 1; }));
}

// --- Ranks and counts -------------------------------------------------------------------------------------------

/// One step of PageRank: a vertex without edges gives its rank to all.
inline std::vector<double> next_ranks(rows const& out, std::vector<double> const& rank, double damping) {
  double const n = static_cast<double>(out.size());
  double lost = 0;
  std::vector<double> got(out.size(), 0.0);
  for (id v = 0; v < out.size(); ++v) {
    if (out[v].empty()) lost += rank[v];
    for (id const to : out[v]) got[to] += rank[v] / static_cast<double>(out[v].size());
  }
  for (double& each : got) each = (1 - damping) / n + damping * (each + lost / n);
  return got;
}

/// PageRank by power iteration, of sum 1, from equal ranks: until the sum of all changes is below the tolerance or that
/// many steps are done.
inline std::vector<double> page_rank(rows const& out, double damping = 0.85, double tolerance = 1e-12,
                                     unsigned most_steps = 1000) {
  std::vector<double> rank(out.size(), 1.0 / static_cast<double>(out.size()));
  double change = 1;
  for (unsigned step = 0; step < most_steps && change >= tolerance; ++step) {
    std::vector<double> const next = next_ranks(out, rank, damping);
    change = 0;
    for (id v = 0; v < out.size(); ++v) change += std::abs(next[v] - rank[v]);
    rank = next;
  }
  return rank;
}

/// Sorted rows without loops and doubles.
inline rows tidy(rows all) {
  for (id v = 0; v < all.size(); ++v) {
    std::erase(all[v], v);
    std::ranges::sort(all[v]);
    all[v].erase(std::unique(all[v].begin(), all[v].end()), all[v].end());
  }
  return all;
}

/// Triangles u < v < w of an undirected graph, each once; loops and parallel edges do not count.
inline std::uint64_t triangles(rows const& undirected) {
  rows const all = tidy(undirected);
  std::uint64_t count = 0;
  for (id u = 0; u < all.size(); ++u) {
    for (id const v : all[u]) {
      if (v < u) continue;
      std::vector<id> both;
      std::ranges::set_intersection(all[u], all[v], std::back_inserter(both));
      count += static_cast<std::uint64_t>(std::ranges::count_if(both, [&](id w) { return w > v; }));
    }
  }
  return count;
}

/// Core numbers of an undirected graph without loops and parallel edges: the largest k such that the vertex is in a
/// subgraph in which all have k neighbours.
inline std::vector<std::uint32_t> core_numbers(rows const& undirected) {
  rows const all = tidy(undirected);
  std::vector<std::uint32_t> core(all.size(), 0);
  std::vector<bool> removed(all.size(), false);
  std::vector<std::size_t> degree;
  for (auto const& row : all) degree.push_back(row.size());
  std::uint32_t k = 0;
  for (id left = all.size(); left > 0; --left) {
    id least = all.size();
    for (id v = 0; v < all.size(); ++v) {
      if (!removed[v] && (least == all.size() || degree[v] < degree[least])) least = v;
    }
    k = std::max(k, static_cast<std::uint32_t>(degree[least]));
    core[least] = k;
    removed[least] = true;
    for (id const to : all[least]) --degree[to];
  }
  return core;
}

/// Adds what the shortest paths from one vertex contribute (Brandes 2001, algorithm 1).
inline void add_betweenness(rows const& out, id source, std::vector<double>& sum) {
  std::vector<std::uint32_t> const level = levels(out, source);
  std::vector<id> order;
  for (id v = 0; v < out.size(); ++v) {
    if (level[v] != unreached) order.push_back(v);
  }
  std::ranges::stable_sort(order, {}, [&](id v) { return level[v]; });

  std::vector<double> paths(out.size(), 0.0), dependency(out.size(), 0.0);
  paths[source] = 1;
  for (id const v : order) {
    for (id const to : out[v]) paths[to] += level[to] == level[v] + 1 ? paths[v] : 0.0;
  }
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    for (id const to : out[*v])
      dependency[*v] += level[to] == level[*v] + 1 ? paths[*v] / paths[to] * (1 + dependency[to]) : 0.0;
    if (*v != source) sum[*v] += dependency[*v];
  }
}

/// Betweenness without weights, over the shortest paths that begin at these sources: the sum over ordered pairs
/// (source, other end), so that an undirected pair counts twice if all are sources. Parallel edges are paths of
/// their own.
inline std::vector<double> betweenness(rows const& out, std::vector<id> const& sources) {
  std::vector<double> sum(out.size(), 0.0);
  for (id const source : sources) add_betweenness(out, source, sum);
  return sum;
}

inline std::vector<double> betweenness(rows const& out) {
  std::vector<id> all(out.size());
  std::iota(all.begin(), all.end(), id{0});
  return betweenness(out, all);
}

// --- Trees ------------------------------------------------------------------------------------------------------

template <class W>
struct forest {
  W weight{};
  id edges = 0;
};

/// A minimum spanning forest of the graph without directions (Kruskal).
template <class W>
forest<W> minimum_forest(std::vector<edge<W>> edges, id n) {
  std::ranges::stable_sort(edges, {}, &edge<W>::value);
  disjoint_sets sets(n);
  forest<W> all;
  for (edge<W> const& each : edges) {
    if (!sets.unite(each.source, each.target)) continue;
    all.weight += each.value;
    ++all.edges;
  }
  return all;
}

// --- Checks of answers that are not unique: what is wrong, or an empty text ----------------------------------------

/// A maximal independent set of an undirected graph, as a mark for each vertex. Loops do not count.
template <class Marks>
std::string wrong_independent_set(rows const& undirected, Marks const& is_in) {
  if (is_in.size() != undirected.size()) return "a mark is missing";
  for (id v = 0; v < undirected.size(); ++v) {
    id const other = [&] {
      auto const& row = undirected[v];
      auto const at = std::ranges::find_if(row, [&](id to) { return to != v && is_in[to]; });
      return at == row.end() ? v : *at;
    }();
    if (is_in[v] && other != v) return "neighbours " + std::to_string(v) + " and " + std::to_string(other);
    if (!is_in[v] && other == v) return "vertex " + std::to_string(v) + " could be added";
  }
  return {};
}

/// A colouring of an undirected graph with colours below `colours`. Loops do not count.
template <class Colour>
std::string wrong_colouring(rows const& undirected, std::vector<Colour> const& colour, std::uint64_t colours) {
  if (colour.size() != undirected.size()) return "a colour is missing";
  for (id v = 0; v < undirected.size(); ++v) {
    if (static_cast<std::uint64_t>(colour[v]) >= colours) return "the colour of vertex " + std::to_string(v);
    for (id const to : undirected[v]) {
      if (to != v && colour[to] == colour[v])
        return "neighbours " + std::to_string(v) + " and " + std::to_string(to) + " have one colour";
    }
  }
  return {};
}

/// All vertices, in an order in which each edge leads onwards.
inline std::string wrong_topological_order(rows const& out, std::vector<id> const& order) {
  std::vector<id> position(out.size(), out.size());
  for (id i = 0; i < order.size(); ++i) {
    if (order[i] >= out.size() || position[order[i]] != out.size())
      return "entry " + std::to_string(i) + " is no vertex, or one that came before";
    position[order[i]] = i;
  }
  for (id v = 0; v < out.size(); ++v) {
    if (position[v] == out.size()) return "vertex " + std::to_string(v) + " is missing";
    for (id const to : out[v]) {
      if (position[to] <= position[v]) return "the edge " + std::to_string(v) + " to " + std::to_string(to);
    }
  }
  return {};
}

}  // namespace sheaf_test::serial
