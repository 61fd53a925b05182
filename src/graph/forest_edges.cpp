// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Minimum spanning forest. Result: its edges, each at one member. Method: Borůvka's (1926), at first without messages
/// where a piece's first edge leads to an own vertex; then trees are named by vertices, whose owners choose, hook and
/// halve ways to the roots (Chung, Condon: Parallel Implementation of Borůvka's Minimum Spanning Tree Algorithm, IPPS
/// 1996). Data: disjoint sets of own vertices; edges that lead out of their trees, in a list that shrinks. Edges have a
/// total order, so that hooks form cycles only of two trees, which choose one edge.
#include "sheaf/graph/detail/forest_edges.hpp"

#include <functional>
#include <string>
#include <utility>

#include "graph/forest_pieces.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

class growing_trees {
 public:
  growing_trees(graph_shape const& g, std::span<std::uint64_t const> keys)
      : g_(g), own_first_(g.map().first(g.members().rank())), pieces_(g, keys), tree_(g) {
    pieces_.join_own(chosen_);
    for (vertex v = 0; v < g.local(); ++v) {
      if (pieces_.best(v) != forest_pieces::none) names_.push_back(v);
    }
    own_ = names_;
    up_.resize(g.local());
    for (vertex v = 0; v < g.local(); ++v) up_[v] = own_first_ + v;
    for (vertex v = 0; v < g.local(); ++v) tree_[v] = own_first_ + pieces_.piece(v);
    offers_.resize(g.local());
  }

  std::vector<forest_edge> run() {
    while (offer_edges()) {
      epoch(g_.members(), [this] { hook(); });
      choose();
      barrier(g_.members());  // nobody asks before all have hooked
      while (halve_ways() != 0) {
      }
      rename();
    }
    return std::move(chosen_);
  }

 private:
  /// The first edge out of a tree, as a member with a piece of it knows.
  struct offer {
    vertex tree = 0;
    std::uint32_t from = 0;  // the member, and the edge's place there
    std::uint64_t place = 0;
    std::uint64_t other = 0;  // the tree that it leads to
    edge_rank rank{};
  };
  struct hooking {
    vertex to;
    std::uint64_t tree;
  };
  struct question {
    vertex tree, asker;
  };
  struct answer {
    vertex asker;
    std::uint64_t up;
  };

  [[nodiscard]] std::uint32_t owner(std::uint64_t tree) const { return g_.map().owner(tree); }
  [[nodiscard]] vertex place(std::uint64_t tree) const {
    return static_cast<vertex>(tree - g_.map().first(owner(tree)));
  }

  /// Collective. Whether there were any.
  bool offer_edges() {
    for (vertex const v : names_) offers_[v] = {};
    is_first_.assign(g_.local(), 0);
    tree_.pull();
    pieces_.find_best([this](vertex from, vertex to) { return tree_[from] == tree_[to]; });
    std::uint64_t count = 0;
    auto const begin = [&] {
      for (vertex const its : own_) {
        std::size_t const best = pieces_.best(its);
        if (best == forest_pieces::none) continue;
        ++count;
        forest_edge const& one = pieces_[best];
        bool const begins_here = pieces_.piece(one.from) == its;
        std::uint64_t const other = tree_[begins_here ? pieces_.target(one) : one.from];
        offer_.send(owner(tree_[its]), {place(tree_[its]), g_.members().rank(), best, other, pieces_.rank(one)});
      }
    };
    return epoch(
               g_.members(), begin, [&] { return count; }, std::plus<>{}) != 0;
  }
  void take(offer const& one) noexcept {
    if (one.rank < offers_[one.tree].rank) offers_[one.tree] = one;
  }
  [[nodiscard]] bool has_offer(vertex tree) const { return offers_[tree].rank != edge_rank{}; }

  void hook() {
    for (vertex const tree : names_) {
      std::uint64_t const to = offers_[tree].other;
      if (has_offer(tree)) hook_.send(owner(to), {place(to), own_first_ + tree});
    }
  }
  /// Of two trees that choose one edge, the first stays.
  void take_hook(hooking const& one) noexcept {
    bool const is_mutual = has_offer(one.to) && offers_[one.to].other == one.tree;
    if (is_mutual && own_first_ + one.to < one.tree) is_first_[one.to] = 1;
  }
  /// The members whose edges were chosen hear of it in the next epoch.
  void choose() {
    hooked_.clear();
    for (vertex const tree : names_) {
      if (!has_offer(tree) || is_first_[tree] != 0) continue;
      up_[tree] = offers_[tree].other;
      hooked_.push_back(tree);
    }
    tell_ = hooked_;
  }

  /// Collective. The number of those whose way became shorter.
  std::uint64_t halve_ways() {
    changed_ = 0;
    auto const begin = [this] {
      for (vertex const tree : std::exchange(tell_, {})) take_.send(offers_[tree].from, offers_[tree].place);
      for (vertex const tree : hooked_) question_.send(owner(up_[tree]), {place(up_[tree]), tree});
    };
    return epoch(
        g_.members(), begin, [this] { return changed_; }, std::plus<>{});
  }
  void take_answer(answer const& one) noexcept {
    changed_ += up_[one.asker] != one.up ? 1 : 0;
    up_[one.asker] = one.up;
  }

  /// Collective. Pieces learn the names of their trees. Names that hooked are none any more.
  void rename() {
    epoch(g_.members(), [this] {
      for (vertex const its : own_) name_question_.send(owner(tree_[its]), {place(tree_[its]), its});
    });
    for (vertex v = 0; v < g_.local(); ++v) tree_[v] = tree_[pieces_.piece(v)];
    std::erase_if(names_, [this](vertex v) { return up_[v] != own_first_ + v; });
  }

  graph_shape const& g_;
  std::uint64_t const own_first_;
  forest_pieces pieces_;
  vertex_values<std::uint64_t> tree_;  // the number of the vertex that names it
  std::vector<vertex> own_;            // pieces that may grow
  std::vector<vertex> names_;          // own vertices that name trees
  std::vector<vertex> hooked_, tell_;  // of these: in this round
  std::vector<std::uint64_t> up_;      // by names: the tree that it has hooked on, and then one further up
  std::vector<offer> offers_;
  std::vector<std::uint8_t> is_first_;
  std::vector<forest_edge> chosen_;
  std::uint64_t changed_ = 0;  // in this epoch, by answers to own questions
  message_type<offer, unordered> offer_{g_.members(), [this](offer const& one) noexcept { take(one); }};
  message_type<hooking, unordered> hook_{g_.members(), [this](hooking const& one) noexcept { take_hook(one); }};
  message_type<std::uint64_t, unordered> take_{g_.members(),
                                               [this](std::uint64_t place) { chosen_.push_back(pieces_[place]); }};
  message_type<answer, unordered> answer_{g_.members(), [this](answer const& one) noexcept { take_answer(one); }};
  message_type<question, unordered> question_{g_.members(), [this](question const& one, std::uint64_t sender) {
                                                answer_.send(sender, {one.asker, up_[one.tree]});
                                              }};
  message_type<answer, unordered> name_answer_{g_.members(),
                                               [this](answer const& one) noexcept { tree_[one.asker] = one.up; }};
  message_type<question, unordered> name_question_{g_.members(), [this](question const& one, std::uint64_t sender) {
                                                     name_answer_.send(sender, {one.asker, up_[one.tree]});
                                                   }};
};

}  // namespace

std::vector<forest_edge> forest_edges(graph_shape const& g, std::span<std::uint64_t const> keys) {
  if (g.is_directed())
    throw usage_error(
        "sheaf: a minimum spanning forest is one of an undirected graph; build it with graph_options::directed = "
        "false");
  return growing_trees(g, keys).run();
}

}  // namespace sheaf::detail
