// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Betweenness. Result: a sum for each own vertex. Method: a search by levels counts shortest paths, and the way back
/// adds up what depends on each vertex (Brandes: A Faster Algorithm for Betweenness Centrality, 2001; distributed by
/// levels as in Edmonds, Hoefler, Lumsdaine, HiPC 2010). Data: own vertices in the order of levels; counts for ghosts,
/// which go to their owners once a level; for each such message who sent it, as the answers go back to them: so edges
/// that end at a vertex are not needed. Counts are doubles, exact up to 2^53; those of a level are scaled.
#include "sheaf/graph/betweenness.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "graph/path_scale.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

class paths_from_sources {
 public:
  explicit paths_from_sources(graph_shape const& g)
      : g_(g), level_(g.all()), paths_(g.all()), share_(g.all()), sum_(g.local(), 0.0) {
    order_.reserve(g.local());
  }

  void add(std::uint64_t source) {
    start(source);
    for (step last{1, 1.0}; last.reached != 0; ++depth_) {
      first_.push_back(order_.size());
      take_level();
      scale_level(last.most);
      last = epoch(
          g_.members(), [this] { go_down(); }, [this] { return next_step(); }, std::plus<>{});
      if (last.lost != 0)
        throw usage_error(
            "sheaf: betweenness: of vertices at one distance some have 2^1800 times as many shortest paths as others, "
            "which is more than doubles hold");
    }
    for (; depth_ > 1; --depth_) {
      epoch(g_.members(), [this] { answer_level(depth_ - 1); });
      sum_level(depth_ - 2);
    }
  }
  std::vector<double> take() { return std::move(sum_); }

 private:
  static constexpr std::uint32_t unreached = ~std::uint32_t{0};
  /// Of a level, over all members.
  struct step {
    std::uint64_t reached = 0;
    double most = 0;         ///< paths to one of these
    std::uint64_t lost = 0;  ///< vertices of the level before, to which too few paths lead for the scale

    friend step operator+(step const& a, step const& b) {
      return {a.reached + b.reached, std::max(a.most, b.most), a.lost + b.lost};
    }
  };
  /// To a ghost's owner, who answers.
  struct count {
    vertex to, ghost;
    double paths;
  };
  struct answer {
    vertex ghost;
    double share;
  };
  /// Who has sent a count.
  struct asker {
    vertex own, ghost;
    std::uint32_t rank;
  };
  /// What is reached at a level. A faster member may begin the next one before this member knows that one has ended; so
  /// there are two, which take turns.
  struct level_found {
    std::vector<vertex> vertices;
    std::vector<asker> askers;
  };
  level_found& at(std::uint32_t level) { return levels_[level % 2]; }
  level_found& now() { return at(depth_ + 1); }

  /// Level 0 is the source. Nobody sends before all have forgotten the last one.
  void start(std::uint64_t source) {
    std::ranges::fill(level_, unreached);
    std::ranges::fill(share_, 0.0);
    order_.clear();
    first_.clear();
    askers_.clear();
    asked_.clear();
    scale_.clear();
    levels_ = {};
    depth_ = 0;
    auto const own = g_.find(source);
    if (own) reach(*own, 0, 1.0);
    if (all_reduce(g_.members(), std::uint64_t{own ? 1U : 0U}, std::plus<>{}) != 0) return;
    throw usage_error("sheaf: betweenness from " + std::to_string(source) + ", which is no vertex of the graph");
  }

  void reach(vertex v, std::uint32_t level, double paths) noexcept {
    if (level_[v] == unreached) {
      level_[v] = level;
      paths_[v] = 0;
      at(level).vertices.push_back(v);
    }
    if (level_[v] == level) paths_[v] += paths;
  }
  /// What was reached last is level depth_.
  void take_level() {
    level_found& its = at(depth_);
    order_.insert(order_.end(), its.vertices.begin(), its.vertices.end());
    asked_.push_back(askers_.size());
    askers_.insert(askers_.end(), its.askers.begin(), its.askers.end());
    its.vertices.clear();
    its.askers.clear();
  }
  void scale_level(double most) {
    scale_.push_back(detail::scale_of_paths(most));
    lost_ = 0;
    if (scale_.back() == 1) return;
    for (std::size_t k = first_[depth_]; k < order_.size(); ++k) {
      double& paths = paths_[order_[k]];
      paths *= scale_.back();
      lost_ += paths < detail::fewest_scaled_paths ? 1 : 0;
    }
  }
  [[nodiscard]] step next_step() {
    step own{now().vertices.size(), 0, lost_};
    for (vertex const v : now().vertices) own.most = std::max(own.most, paths_[v]);
    return own;
  }
  void go_down() {
    for (std::size_t k = first_[depth_]; k < order_.size(); ++k) {
      for (vertex const to : g_.out().row(order_[k])) go_to(to, paths_[order_[k]]);
    }
    for (vertex const ghost : ghosts_) {
      vertex_place const owner = g_.place(ghost);
      (depth_ % 2 == 0 ? count_even_ : count_odd_).send(owner.rank, {owner.local, ghost, paths_[ghost]});
    }
    ghosts_.clear();
  }
  void go_to(vertex to, double paths) {
    if (g_.is_local(to)) return reach(to, depth_ + 1, paths);
    if (level_[to] == unreached) {
      level_[to] = depth_ + 1;
      paths_[to] = 0;
      ghosts_.push_back(to);
    }
    if (level_[to] == depth_ + 1) paths_[to] += paths;
  }
  /// By a message of the even or odd levels.
  void arrive(count const& its, std::uint64_t sender, std::uint32_t odd) noexcept {
    std::uint32_t const level = depth_ + (depth_ % 2 == odd ? 1 : 2);
    reach(its.to, level, its.paths);
    if (level_[its.to] == level) at(level).askers.push_back({its.to, its.ghost, static_cast<std::uint32_t>(sender)});
  }

  /// What depends on a path through a vertex of the level goes back to those before it.
  void answer_level(std::uint32_t level) {
    for (std::size_t k = first_[level]; k < end(first_, level, order_.size()); ++k) {
      vertex const v = order_[k];
      share_[v] = (1 + share_[v] * paths_[v]) / paths_[v];
    }
    for (std::size_t k = asked_[level]; k < end(asked_, level, askers_.size()); ++k)
      answer_.send(askers_[k].rank, {askers_[k].ghost, share_[askers_[k].own]});
  }
  /// Until its level answers, share_ of a vertex is the sum of those behind it.
  void sum_level(std::uint32_t level) {
    for (std::size_t k = first_[level]; k < first_[level + 1]; ++k) {
      vertex const v = order_[k];
      double sum = 0;
      for (vertex const to : g_.out().row(v)) sum += level_[to] == level + 1 ? share_[to] : 0.0;
      sum *= scale_[level + std::size_t{1}];
      share_[v] = sum;
      if (level != 0) sum_[v] += sum * paths_[v];
    }
  }
  static std::size_t end(std::vector<std::size_t> const& first, std::uint32_t level, std::size_t all) {
    return level + std::size_t{1} < first.size() ? first[level + std::size_t{1}] : all;
  }

  graph_shape const& g_;
  std::vector<std::uint32_t> level_;  // of ghosts: the first at which an edge leads there from here
  std::vector<double> paths_;         // of ghosts: from here
  std::vector<double> share_;
  std::vector<double> sum_;
  std::vector<vertex> order_, ghosts_;
  std::vector<asker> askers_;
  std::vector<std::size_t> first_, asked_;  // of each level in order_ and askers_
  std::vector<double> scale_;               // of each level, beside that of the one before
  std::uint64_t lost_ = 0;
  std::array<level_found, 2> levels_;
  std::uint32_t depth_ = 0;
  message_type<count, unordered> count_even_{
      g_.members(), [this](count const& its, std::uint64_t sender) noexcept { arrive(its, sender, 0); }};
  message_type<count, unordered> count_odd_{
      g_.members(), [this](count const& its, std::uint64_t sender) noexcept { arrive(its, sender, 1); }};
  message_type<answer, unordered> answer_{g_.members(),
                                          [this](answer const& its) noexcept { share_[its.ghost] = its.share; }};
};

}  // namespace

std::vector<double> betweenness(graph_shape const& g, std::span<std::uint64_t const> sources) {
  paths_from_sources all(g);
  for (std::uint64_t const each : sources) all.add(each);
  return all.take();
}

std::vector<double> betweenness(graph_shape const& g) { return betweenness(g, sampled_vertices(g, g.vertices(), 0)); }

std::vector<std::uint64_t> sampled_vertices(graph_shape const& g, std::uint64_t count, std::uint64_t seed,
                                            std::uint64_t degree) {
  std::vector<std::uint64_t> ids;
  for (vertex v = 0; v < g.local(); ++v) {
    if (g.out().degree(v) >= degree) ids.push_back(g.id(v));
  }
  auto const key = [seed](std::uint64_t id) { return std::pair(detail::random_words(seed, id).word(0), id); };
  auto const keep_smallest = [&] {
    if (count >= ids.size()) return;
    std::ranges::nth_element(ids, ids.begin() + static_cast<std::ptrdiff_t>(count), {}, key);
    ids.resize(count);
  };
  keep_smallest();
  ids = all_gather(g.members(), std::span<std::uint64_t const>(ids));
  keep_smallest();
  std::ranges::sort(ids);
  return ids;
}

}  // namespace sheaf
