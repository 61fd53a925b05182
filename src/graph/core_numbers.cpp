// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Core numbers. Result: the largest core that each vertex is in. Method: for each k at which vertices are left with k
/// edges or fewer, these are removed, and what has k or fewer then (Matula, Beck, J. ACM 1983). Data: the edges that
/// each vertex has left; the vertices that are left, which are looked at once for each k, no more often than there are
/// edges; a count for each ghost of the edges that it loses. Encoding: a message says how many edges a vertex loses,
/// and k.
#include "sheaf/graph/core_numbers.hpp"

#include <algorithm>
#include <utility>

#include "sheaf/active/epoch.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

class peeling {
 public:
  explicit peeling(graph_shape const& g) : g_(g), left_(g.local()), lost_(g.all() - g.local(), 0) {
    all_.number.assign(g.local(), in_graph);
    for (vertex v = 0; v < g.local(); ++v) {
      left_[v] = static_cast<std::uint32_t>(g.out().degree(v) - g.out().count(v, v));
      remaining_.push_back(v);
    }
  }

  cores run() {
    auto const min = [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); };
    std::uint32_t k = all_reduce(g_.members(), least_left(), min);
    while (k != in_graph) {
      all_.largest = k;
      k = epoch(
          g_.members(), [&] { begin(k); }, [this] { return least_left(); }, min);
    }
    return std::move(all_);
  }

 private:
  static constexpr std::uint32_t in_graph = ~std::uint32_t{0};  // in place of a number

  struct loss {
    std::uint32_t edges, k;
  };

  /// Of the vertices that are still in the graph.
  std::uint32_t least_left() {
    std::erase_if(remaining_, [this](vertex v) { return all_.number[v] != in_graph; });
    std::uint32_t least = in_graph;
    for (vertex const v : remaining_) least = std::min(least, left_[v]);
    return least;
  }
  void begin(std::uint32_t k) {
    k_ = k;
    for (vertex const v : remaining_) lose(v, 0);
  }
  void lose(vertex v, std::uint32_t edges) {
    if (all_.number[v] != in_graph) return;
    left_[v] -= edges;
    if (left_[v] > k_) return;
    all_.number[v] = k_;
    queue_.push_back(v);
    if (!std::exchange(goes_on_, true)) go_on_.send(g_.members().rank(), {});
  }
  /// Removes all that can be removed without others, who then get one message for each of their vertices.
  void go_on() {
    while (!queue_.empty()) {
      vertex const v = queue_.back();
      queue_.pop_back();
      for (vertex const to : g_.out().row(v)) {
        if (g_.is_local(to)) {
          if (to != v) lose(to, 1);
        } else if (lost_[to - g_.local()]++ == 0) {
          losers_.push_back(to);
        }
      }
    }
    for (vertex const to : losers_) loss_.send(to, {std::exchange(lost_[to - g_.local()], 0), k_});
    losers_.clear();
    goes_on_ = false;
  }

  graph_shape const& g_;
  cores all_;
  std::uint32_t k_ = 0;
  std::vector<std::uint32_t> left_;  // edges, of own vertices
  std::vector<std::uint32_t> lost_;  // edges, of ghosts
  std::vector<vertex> remaining_, queue_, losers_;
  bool goes_on_ = false;
  message_type<no_value> go_on_{g_.members(), [this](no_value) { go_on(); }};
  vertex_messages<loss> loss_{g_, [this](vertex v, loss const& its) {
                                k_ = std::max(k_, its.k);  // of a faster member: this one is done with smaller ones
                                lose(v, its.edges);
                              }};
};

}  // namespace

cores core_numbers(graph_shape const& g) {
  if (g.is_directed())
    throw usage_error(
        "sheaf: core numbers are of undirected graphs; build the graph with graph_options::directed = false");
  return peeling(g).run();
}

}  // namespace sheaf
