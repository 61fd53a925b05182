// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Breadth-first search. Result: levels and parents of own vertices. Method: level by level, with the direction chosen
/// for each level (Beamer, Asanović, Patterson: Direction-Optimizing Breadth-First Search, SC 2012), or by messages
/// that correct levels (AM++ §4.3). Data: a queue of own vertices that were reached last, upwards a bit for each; a bit
/// for each ghost that has been sent to. Levels of vertices of other members are not known here. A parent is a number
/// in the whole graph.
#include "sheaf/graph/breadth_first.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "graph/bitmap.hpp"
#include "graph/ghost_bits.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/detail/root.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

using detail::bitmap;

/// Of one step, over all members.
struct progress {
  std::uint64_t vertices = 0;  ///< reached by it
  std::uint64_t edges = 0;     ///< that begin at these

  friend progress operator+(progress a, progress b) { return {a.vertices + b.vertices, a.edges + b.edges}; }
};

class search {
 public:
  explicit search(graph_shape const& g)
      : g_(g),
        in_(g.has_in() ? g.in() : g.out()),
        own_first_(g.map().first(g.members().rank())),
        reached_(g.all()),
        front_(g.all()),
        next_(g.all()) {
    tree_.level.assign(g.local(), bfs_tree::unreached);
    tree_.parent.assign(g.local(), bfs_tree::no_parent);
    for (auto* const each : {&levels_[0], &levels_[1], &queue_}) each->reserve(g.local());  // reach never allocates
  }

  bfs_tree run(std::optional<vertex> root, bool may_turn) {
    if (root) {
      reached_.set(*root);
      reach(*root, own_first_ + *root, 0);
    }
    note_reached();
    std::uint64_t left = all_reduce(g_.members(), std::uint64_t{g_.out().targets.size()}, std::plus<>{});
    bool upwards = false;
    for (progress last = finish_level(); last.vertices != 0; last = finish_level()) {
      left -= std::min(left, last.edges);
      bool const was_upwards = upwards;
      upwards = may_turn && is_better_upwards(last.edges, left);
      queue_.swap(now());
      now().clear();
      if (upwards != was_upwards) upwards ? turn_up() : turn_down();
      ++depth_;
      upwards ? step_up() : step_down();
    }
    tree_.depth = depth_ - 1;
    return std::move(tree_);
  }

 private:
  static constexpr std::size_t ahead = 16, most_pending = 64;  // vertices whose data are prefetched

  /// Downwards a step looks at all `edges` of the vertices reached last; upwards, at a part of those `left`, and at a
  /// word for each 64 vertices. The part is Beamer's.
  [[nodiscard]] bool is_better_upwards(std::uint64_t edges, std::uint64_t left) const {
    return edges > left / 15 + g_.vertices() / bitmap::word_bits;
  }

  /// What is reached at a level. A faster member may begin the next one before this member knows that one has ended; so
  /// there are two, which take turns.
  std::vector<vertex>& now() { return levels_[depth_ % 2]; }

  void reach(vertex v, std::uint64_t parent, std::uint32_t level) noexcept {
    tree_.parent[v] = parent;
    levels_[level % 2].push_back(v);
  }
  /// That the vertices of `now` are reached. Not as they are: their data are far away in memory, and prefetched here.
  void note_reached() {
    for (std::size_t k = 0; k < now().size(); ++k) {
      if (k + ahead < now().size()) {
        __builtin_prefetch(&g_.out().first[now()[k + ahead]]);
        __builtin_prefetch(&tree_.level[now()[k + ahead]], 1);
      }
      tree_.level[now()[k]] = depth_;
      fresh_.edges += g_.out().degree(now()[k]);
    }
    fresh_.vertices = now().size();
  }
  progress finish_level() {
    progress const all = all_reduce(g_.members(), std::exchange(fresh_, {}), std::plus<>{});
    tree_.reached += all.vertices;
    tree_.edges += all.edges;
    return all;
  }

  /// The vertices of the queue send to their neighbours.
  void step_down() {
    epoch(g_.members(), [this] {
      for (std::size_t k = 0; k < queue_.size(); ++k) {
        if (k + ahead < queue_.size()) __builtin_prefetch(g_.out().row(queue_[k + ahead]).data());
        for (vertex const to : g_.out().row(queue_[k])) go_down(queue_[k], to);
      }
      send_pending();
    });
    note_reached();
  }
  void go_down(vertex v, vertex to) {
    if (reached_[to]) return;
    reached_.set(to);
    if (g_.is_local(to)) return reach(to, own_first_ + v, depth_);
    g_.prefetch_place(to);
    pending_.push_back({to, v});
    if (pending_.size() == most_pending) send_pending();
  }
  void send_pending() {
    auto& visit = depth_ % 2 == 0 ? visit_even_ : visit_odd_;
    for (auto const& [to, from] : pending_) visit.send(to, from);
    pending_.clear();
  }
  /// By a message of the even or odd levels.
  void arrive(vertex v, std::uint64_t sender, vertex from, std::uint32_t odd) noexcept {
    if (reached_[v]) return;
    reached_.set(v);
    reach(v, g_.map().first(static_cast<std::uint32_t>(sender)) + from, depth_ + (depth_ % 2 == odd ? 0 : 1));
  }

  /// From the queue to bits. Vertices that nothing leads to count as reached, and are looked at no more.
  void turn_up() {
    front_.clear();
    for (vertex const v : queue_) front_.set(v);
    auto const lonely = g_.not_entered();
    for (std::size_t w = 0; w < lonely.size(); ++w) reached_.add_word(w * bitmap::word_bits, lonely[w]);
  }
  void turn_down() {
    queue_.clear();
    for (std::uint64_t first = 0; first < g_.local(); first += bitmap::word_bits) {
      for (std::uint64_t left = front_.word(first) & own_bits(first); left != 0; left &= left - 1)
        queue_.push_back(static_cast<vertex>(first) + static_cast<vertex>(std::countr_zero(left)));
    }
  }

  /// Each unreached vertex looks for a neighbour among those that were reached last.
  void step_up() {
    detail::pull_bits(g_, front_, {&front_, &reached_});  // what is reached needs no message
    next_.clear();
    std::uint64_t by_ghosts = 0;
    for (std::uint64_t first = 0; first < g_.local() + std::uint64_t{bitmap::word_bits}; first += bitmap::word_bits) {
      fetch_rows(first + bitmap::word_bits);
      auto const at = look_up(first);
      number_parents(first - bitmap::word_bits, std::exchange(by_ghosts, at.by_ghosts));
      if (at.found == 0) continue;
      fresh_.vertices += static_cast<std::uint64_t>(std::popcount(at.found));
      reached_.add_word(first, at.found);
      next_.add_word(first, at.found);
    }
    std::swap(front_, next_);
  }
  /// A bit for each own vertex from `first` on, 64 at most.
  [[nodiscard]] std::uint64_t own_bits(std::uint64_t first) const {
    if (first >= g_.local()) return 0;
    std::uint64_t const count = g_.local() - first;
    return count < bitmap::word_bits ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
  }
  [[nodiscard]] std::uint64_t unreached(std::uint64_t first) const {
    std::uint64_t const own = own_bits(first);
    return own == 0 ? 0 : ~reached_.word(first) & own;
  }
  /// Inlined in any case: GCC takes a function that only prefetches for one without effects, and drops its calls.
  [[gnu::always_inline]] void fetch_rows(std::uint64_t first) const {
    for (std::uint64_t left = unreached(first); left != 0; left &= left - 1)
      __builtin_prefetch(in_.row(static_cast<vertex>(first) + static_cast<vertex>(std::countr_zero(left))).data());
  }
  struct looked_up {
    std::uint64_t found = 0, by_ghosts = 0;  // bits: reached; from a ghost, whose number is still to be looked up
  };
  /// Of the own vertices from `first` on, 64 at most.
  looked_up look_up(std::uint64_t first) {
    looked_up all;
    std::uint64_t left = unreached(first), edges = 0;
    if (left == 0) return all;
    std::uint64_t const* const rows = in_.first.data() + first;
    vertex const* const targets = in_.targets.data();
    for (; left != 0; left &= left - 1) {
      int const k = std::countr_zero(left);
      std::uint64_t edge = rows[k];
      while (edge < rows[k + 1] && !front_[targets[edge]]) ++edge;
      if (edge == rows[k + 1]) continue;
      vertex const v = static_cast<vertex>(first) + static_cast<vertex>(k), from = targets[edge];
      tree_.level[v] = depth_;
      tree_.parent[v] = own_first_ + from;
      edges += g_.out().degree(v);
      std::uint64_t const it = left & -left;
      all.found |= it;
      all.by_ghosts |= g_.is_local(from) ? 0 : it;
      g_.prefetch_place(from);
    }
    fresh_.edges += edges;
    return all;
  }
  /// A step later than they are found: the numbers of ghosts are far away in memory.
  void number_parents(std::uint64_t first, std::uint64_t found) {
    for (; found != 0; found &= found - 1) {
      std::uint64_t& parent = tree_.parent[first + static_cast<std::uint64_t>(std::countr_zero(found))];
      parent = g_.number(static_cast<vertex>(parent - own_first_));
    }
  }

  graph_shape const& g_;
  adjacency const& in_;
  std::uint64_t const own_first_;
  bfs_tree tree_;
  std::uint32_t depth_ = 0;  // that is being reached
  progress fresh_;           // of this member, in this step
  std::array<std::vector<vertex>, 2> levels_;
  std::vector<vertex> queue_;                       // reached by the last step, if it was downwards
  std::vector<std::pair<vertex, vertex>> pending_;  // messages whose ghosts' owners are being prefetched
  bitmap reached_, front_, next_;  // also: sent to; reached by the last step, if it was upwards; by this one
  vertex_messages<vertex> visit_even_{
      g_, [this](vertex v, vertex from, std::uint64_t sender) noexcept { arrive(v, sender, from, 0); }};
  vertex_messages<vertex> visit_odd_{
      g_, [this](vertex v, vertex from, std::uint64_t sender) noexcept { arrive(v, sender, from, 1); }};
};

/// Nobody waits for others; so levels are corrected where a shorter path comes later.
class correcting_search {
 public:
  explicit correcting_search(graph_shape const& g)
      : g_(g), own_first_(g.map().first(g.members().rank())), best_(g.all(), bfs_tree::unreached) {
    tree_.parent.assign(g.local(), bfs_tree::no_parent);
  }

  bfs_tree run(std::optional<vertex> root) {
    epoch(g_.members(), [&] {
      if (root) improve(*root, own_first_ + *root, 0);
    });
    tree_.level.assign(best_.begin(), best_.begin() + g_.local());
    count();
    return std::move(tree_);
  }

 private:
  struct visit {
    vertex from;
    std::uint32_t level;
  };
  static constexpr std::size_t batch = 256;

  void improve(vertex v, std::uint64_t parent, std::uint32_t level) {
    if (level >= best_[v]) return;
    best_[v] = level;
    tree_.parent[v] = parent;
    queue_.push_back(v);
    if (!goes_on_) go_on_.send(g_.members().rank(), {});
    goes_on_ = true;
  }
  /// First come, first served, so that few levels must be corrected. A few at a time, as others' messages come between.
  void go_on() {
    for (std::size_t k = 0; k < batch && next_ < queue_.size(); ++k) expand(queue_[next_++]);
    goes_on_ = next_ < queue_.size();
    if (goes_on_) return go_on_.send(g_.members().rank(), {});
    queue_.clear();
    next_ = 0;
  }
  void expand(vertex v) {
    std::uint32_t const level = best_[v] + 1;
    for (vertex const to : g_.out().row(v)) {
      if (g_.is_local(to)) {
        improve(to, own_first_ + v, level);
      } else if (level < best_[to]) {
        best_[to] = level;
        visit_.send(to, {v, level});
      }
    }
  }
  void count() {
    std::array<std::uint64_t, 3> own{};
    for (vertex v = 0; v < g_.local(); ++v) {
      if (tree_.level[v] == bfs_tree::unreached) continue;
      own = {own[0] + 1, own[1] + g_.out().degree(v), std::max<std::uint64_t>(own[2], tree_.level[v])};
    }
    auto const all = all_reduce(g_.members(), own, [](auto const& a, auto const& b) {
      return std::array<std::uint64_t, 3>{a[0] + b[0], a[1] + b[1], std::max(a[2], b[2])};
    });
    tree_.reached = all[0];
    tree_.edges = all[1];
    tree_.depth = static_cast<std::uint32_t>(all[2]);
  }

  graph_shape const& g_;
  std::uint64_t const own_first_;
  bfs_tree tree_;
  std::vector<std::uint32_t> best_;  // of ghosts: what was sent
  std::vector<vertex> queue_;
  std::size_t next_ = 0;
  bool goes_on_ = false;
  message_type<no_value> go_on_{g_.members(), [this](no_value) { go_on(); }};
  vertex_messages<visit> visit_{g_, [this](vertex v, visit const& its, std::uint64_t sender) {
                                  improve(v, g_.map().first(static_cast<std::uint32_t>(sender)) + its.from, its.level);
                                }};
};

}  // namespace

bfs_tree breadth_first(graph_shape const& g, std::uint64_t root, bfs_form how) {
  auto const own = detail::checked_root(g, root);
  if (how == bfs_form::messages) return correcting_search(g).run(own);
  return search(g).run(own, how == bfs_form::direction_optimizing && g.has_in());
}

}  // namespace sheaf
