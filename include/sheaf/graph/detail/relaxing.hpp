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
/// Where the user gives none: the largest weight over the mean degree at an edge's end, so that few edges lead to the
/// same bucket (Meyer and Sanders' choice for weights at random, who have one degree for all).
double usual_delta(graph_shape const& g, double largest_weight);
/// Throws usage_error for a width of buckets that is less than 0, or no number.
void check_delta(double wanted);

template <class W>
struct weight_facts {
  W largest{};       // here
  double delta = 1;  // the width of buckets
};

/// Collective. Reads all weights.
template <class W>
weight_facts<W> checked_weights(graph<W> const& g, double wanted) {
  check_delta(wanted);
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
  constexpr double least = std::numeric_limits<double>::min();  // weights may be smaller
  return {largest, std::is_integral_v<W> ? std::clamp(std::ceil(delta), 1.0, 1e18) : std::max(delta, least)};
}

/// What both forms have. D holds distances meanwhile.
template <class W, class D>
class relaxing {
 protected:
  using distance = typename path_tree<W>::distance_type;
  static constexpr D unreached = static_cast<D>(path_tree<W>::unreached);  // of 32 bits: their largest number

  struct relaxation {
    vertex to, from;  // of their owners
    D length;
  };

  relaxing(graph<W> const& g, weight_facts<W> const& weights)
      : g_(g),
        largest_weight_(weights.largest),
        own_first_(g.map().first(g.members().rank())),
        delta_(static_cast<distance>(weights.delta)),
        best_(g.all(), unreached),
        parent_(g.local(), path_tree<W>::no_parent),
        waits_(g.local(), 0) {}

  /// A path of this length leads to an own vertex.
  [[gnu::always_inline]] void lower(vertex v, std::uint64_t parent, D length) {
    best_[v] = length;
    parent_[v] = parent;
    waits_[v] = 1;
    work_.add(v, bucket_of(length));
  }
  /// To ghosts it sends by send(rank, relaxation), now or with send_pending.
  template <class Send>
  void relax(vertex v, Send send) {
    distance const from = best_[v];
    if constexpr (sizeof(D) < sizeof(distance)) largest_ = std::max(largest_, best_[v]);
    auto const row = g_.out().row(v);
    if (row.empty()) return;
    W const* const weights = &g_.out_value(g_.out().first[v]);
    D* const best = best_.data();  // as these do not change, the loop need not read them again
    for (std::size_t k = 0; k < row.size(); ++k) {
      vertex const to = row[k];
      distance const length = from + static_cast<distance>(weights[k]);
      if (length >= best[to]) continue;
      if (g_.is_local(to)) {
        lower(to, own_first_ + v, static_cast<D>(length));
      } else {
        best[to] = static_cast<D>(length);
        g_.prefetch_place(to);
        pending_.push_back({to, v, best[to]});
        if (pending_.size() == most_pending) send_pending(send);
      }
    }
  }
  /// What has become shorter meanwhile is sent once.
  template <class Send>
  void send_pending(Send send) {
    for (relaxation const& each : pending_) {
      if (best_[each.to] != each.length) continue;
      vertex_place const at = g_.place(each.to);
      send(at.rank, relaxation{at.local, each.from, each.length});
    }
    pending_.clear();
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

  /// None where a path might be too long for D.
  std::optional<path_tree<W>> finish() {
    if constexpr (sizeof(D) < sizeof(distance)) {
      distance const longest = distance{largest_} + static_cast<distance>(largest_weight_);
      if (all_reduce(g_.members(), longest >= unreached, std::logical_or<>{})) return {};
    }
    path_tree<W> tree;
    best_.resize(g_.local());
    auto const missing = std::ranges::count(best_, unreached);
    tree.reached = all_reduce(g_.members(), g_.local() - static_cast<std::uint64_t>(missing), std::plus<>{});
    tree.distance.assign(best_.begin(), best_.end());
    if (missing != 0 && sizeof(D) < sizeof(distance))
      std::ranges::replace(tree.distance, distance{unreached}, path_tree<W>::unreached);
    tree.parent = std::move(parent_);
    return tree;
  }

  graph<W> const& g_;
  W const largest_weight_;
  std::uint64_t const own_first_;
  distance const delta_;
  D largest_ = 0;        // of which edges were relaxed
  std::vector<D> best_;  // of ghosts: what was sent
  std::vector<std::uint64_t> parent_;
  std::vector<std::uint8_t> waits_;
  buckets work_;

 private:
  static constexpr std::size_t most_pending = 64;
  std::vector<relaxation> pending_;  // to ghosts, by their numbers here: the places of these are being prefetched
};

template <class W, class D>
class stepping_paths : relaxing<W, D> {
  using base = relaxing<W, D>;
  using relaxation = typename base::relaxation;

 public:
  stepping_paths(graph<W> const& g, weight_facts<W> const& weights) : base(g, weights) {}

  std::optional<path_tree<W>> run(std::optional<vertex> root) {
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
    auto const send = [this](std::uint64_t rank, relaxation const& one) { relax_.send(rank, one); };
    while (std::optional<vertex> const v = base::work_.take(bucket)) {
      if (base::is_due(*v)) base::relax(*v, send);
    }
    base::send_pending(send);
  }

  message_type<relaxation, unordered> relax_{base::g_.members(),
                                             [this](relaxation const& one, std::uint64_t sender) noexcept {
                                               if (one.length < base::best_[one.to])
                                                 base::lower(one.to, base::number(sender, one.from), one.length);
                                             }};
};

template <class W, class D>
class correcting_paths : relaxing<W, D> {
  using base = relaxing<W, D>;
  using relaxation = typename base::relaxation;

 public:
  correcting_paths(graph<W> const& g, weight_facts<W> const& weights) : base(g, weights) {}

  std::optional<path_tree<W>> run(std::optional<vertex> root) {
    epoch(base::g_.members(), [&] {
      if (!root) return;
      base::lower(*root, base::own_first_ + *root, 0);
      ensure_work();
    });
    return base::finish();
  }

 private:
  static constexpr std::uint64_t batch = 4096;  // edges

  /// A few at a time, as others' messages come between, which may say that something else is to be done first.
  void work() {
    works_ = false;
    auto const send = [this](std::uint64_t rank, relaxation const& one) { relax_.send(rank, one); };
    std::uint64_t bucket = base::work_.first();
    for (std::uint64_t edges = 0; edges < batch && bucket != buckets::none; bucket = base::work_.first()) {
      vertex const v = *base::work_.take(bucket);
      if (!base::is_due(v)) continue;
      edges += base::g_.out().degree(v);
      base::relax(v, send);
    }
    base::send_pending(send);
    if (bucket != buckets::none) ensure_work();
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

template <class W, class D>
std::optional<path_tree<W>> find_paths(graph<W> const& g, std::optional<vertex> root, paths_form how,
                                       weight_facts<W> const& weights) {
  if (how == paths_form::messages) return correcting_paths<W, D>(g, weights).run(root);
  return stepping_paths<W, D>(g, weights).run(root);
}

}  // namespace sheaf::detail
