// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Shortest paths. Result: distances and parents of own vertices. Method: Δ-stepping (Meyer, Sanders, J. Algorithms
/// 2003), in which a bucket's vertices relax light and heavy edges at once, as nearly all are taken once; or relaxing
/// by messages in any order (AM++ §4.3). Data: buckets of own vertices; the best distance known of all that are known
/// here, so that one comparison stops an edge to a ghost, too. A parent is a number in the whole graph.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/graph/buckets.hpp"
#include "sheaf/graph/detail/root.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/path_tree.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Throws usage_error on all members, with the first text that is not empty, if there is one.
void throw_any(team const& members, std::string const& text);
std::string bad_weight(graph_shape const& g, vertex from, vertex to, std::string const& weight);
/// Where the user gives none.
double usual_delta(graph_shape const& g, double largest_weight);

/// Collective. The width of buckets. Reads all weights.
template <class W>
double checked_delta(graph<W> const& g, double wanted) {
  W largest{};
  bool is_bad = false;
  for (std::uint64_t k = 0; k < g.out().targets.size(); ++k) {
    is_bad |= !(g.out_value(k) >= W{});
    largest = std::max(largest, g.out_value(k));
  }
  std::string text;
  for (vertex v = 0; v < g.local() && is_bad && text.empty(); ++v) {
    g.for_each_edge(v, [&](vertex to, W weight) {
      if (!(weight >= W{})) text = bad_weight(g, v, to, std::to_string(weight));
    });
  }
  throw_any(g.members(), text);
  double const delta = wanted > 0 ? wanted : usual_delta(g, static_cast<double>(largest));
  return std::is_integral_v<W> ? std::max(1.0, std::ceil(delta)) : delta;
}

/// What both forms have.
template <class W>
class relaxing {
 protected:
  using distance = typename path_tree<W>::distance_type;

  struct relaxation {
    vertex to, from;  // of their owners
    distance length;
  };

  relaxing(graph<W> const& g, double delta)
      : g_(g),
        own_first_(g.map().first(g.members().rank())),
        delta_(static_cast<distance>(delta)),
        best_(g.all(), path_tree<W>::unreached),
        parent_(g.local(), path_tree<W>::no_parent),
        waits_(g.local(), 0) {}

  /// A path of this length leads to an own vertex.
  [[gnu::always_inline]] void lower(vertex v, std::uint64_t parent, distance length) {
    best_[v] = length;
    parent_[v] = parent;
    waits_[v] = 1;
    work_.add(v, bucket_of(length));
  }
  /// To ghosts it sends by send(rank, relaxation).
  template <class Send>
  void relax(vertex v, Send send) {
    distance const from = best_[v];
    std::uint64_t const last = g_.out().first[v + std::size_t{1}];
    for (std::uint64_t k = g_.out().first[v]; k < last; ++k) {
      vertex const to = g_.out().targets[k];
      distance const length = from + static_cast<distance>(g_.out_value(k));
      if (length >= best_[to]) continue;
      if (g_.is_local(to)) {
        lower(to, own_first_ + v, length);
      } else {
        best_[to] = length;
        vertex_place const at = g_.place(to);
        send(at.rank, relaxation{at.local, v, length});
      }
    }
  }
  /// Whether a vertex that was taken has not been done since its distance fell.
  [[nodiscard]] bool is_due(vertex v) { return std::exchange(waits_[v], std::uint8_t{0}) != 0; }
  [[nodiscard]] std::uint64_t number(std::uint64_t rank, vertex v) const {
    return g_.map().first(static_cast<std::uint32_t>(rank)) + v;
  }
  [[nodiscard]] std::uint64_t bucket_of(distance length) const {
    if constexpr (std::is_integral_v<distance>) {
      return length / delta_;
    } else {
      return static_cast<std::uint64_t>(std::min(length / delta_, 1e18));
    }
  }

  path_tree<W> finish() {
    path_tree<W> tree;
    best_.resize(g_.local());
    auto const unreached = std::ranges::count(best_, path_tree<W>::unreached);
    tree.reached = all_reduce(g_.members(), g_.local() - static_cast<std::uint64_t>(unreached), std::plus<>{});
    tree.distance = std::move(best_);
    tree.parent = std::move(parent_);
    return tree;
  }

  graph<W> const& g_;
  std::uint64_t const own_first_;
  distance const delta_;
  std::vector<distance> best_;  // of ghosts: what was sent
  std::vector<std::uint64_t> parent_;
  std::vector<std::uint8_t> waits_;
  buckets work_;
};

template <class W>
class stepping_paths : relaxing<W> {
  using base = relaxing<W>;
  using relaxation = typename base::relaxation;

 public:
  stepping_paths(graph<W> const& g, double delta) : base(g, delta) {}

  path_tree<W> run(std::optional<vertex> root) {
    if (root) base::lower(*root, base::own_first_ + *root, 0);
    auto const min = [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); };
    team const& members = base::g_.members();
    std::uint64_t bucket = all_reduce(members, base::work_.first(), min);
    while (bucket != buckets::none)
      bucket = epoch(
          members, [&] { work_on(bucket); }, [this] { return base::work_.first(); }, min);
    return base::finish();
  }

 private:
  /// A message of a faster member's next bucket adds to that one or to a later one: it may come early.
  void work_on(std::uint64_t bucket) {
    while (std::optional<vertex> const v = base::work_.take(bucket)) {
      if (!base::is_due(*v)) continue;
      base::relax(*v, [this](std::uint64_t rank, relaxation const& one) { relax_.send(rank, one); });
    }
  }

  message_type<relaxation, unordered> relax_{base::g_.members(),
                                             [this](relaxation const& one, std::uint64_t sender) noexcept {
                                               if (one.length < base::best_[one.to])
                                                 base::lower(one.to, base::number(sender, one.from), one.length);
                                             }};
};

template <class W>
class correcting_paths : relaxing<W> {
  using base = relaxing<W>;
  using relaxation = typename base::relaxation;

 public:
  correcting_paths(graph<W> const& g, double delta) : base(g, delta) {}

  path_tree<W> run(std::optional<vertex> root) {
    epoch(base::g_.members(), [&] {
      if (!root) return;
      base::lower(*root, base::own_first_ + *root, 0);
      ensure_work();
    });
    return base::finish();
  }

 private:
  static constexpr std::size_t batch = 256;

  /// A few at a time, as others' messages come between, which may say that something else is to be done first.
  void work() {
    works_ = false;
    for (std::size_t k = 0; k < batch; ++k) {
      std::uint64_t const bucket = base::work_.first();
      if (bucket == buckets::none) return;
      vertex const v = *base::work_.take(bucket);
      if (!base::is_due(v)) continue;
      base::relax(v, [this](std::uint64_t rank, relaxation const& one) { relax_.send(rank, one); });
    }
    ensure_work();
  }
  void ensure_work() {
    if (!std::exchange(works_, true)) work_on_.send(base::g_.members().rank(), {});
  }

  bool works_ = false;
  message_type<no_value> work_on_{base::g_.members(), [this](no_value) { work(); }};
  message_type<relaxation, unordered> relax_{base::g_.members(), [this](relaxation const& one, std::uint64_t sender) {
                                               if (one.length >= base::best_[one.to]) return;
                                               base::lower(one.to, base::number(sender, one.from), one.length);
                                               ensure_work();
                                             }};
};

}  // namespace sheaf::detail
