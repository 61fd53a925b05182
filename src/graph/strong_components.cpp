// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Strongly connected components. Result: the smallest id of each vertex's component. Method: trimming, and marks of
/// one pivot per member (ARMI §5.3; McLendon, Hendrickson, Plimpton, Rauchwerger, SPAA 2001); or a giant component,
/// each member's own ones, and colours (Orzan 2004; Slota, Rajamanickam, Madduri, IPDPS 2014). Data: units of vertices
/// and parts of these (strong_rest), in which both forms go by rounds. A component is named by the number of a vertex.
#include "sheaf/graph/strong_components.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "graph/local_components.hpp"
#include "graph/strong_gather.hpp"
#include "graph/strong_giant.hpp"
#include "graph/strong_marks.hpp"
#include "graph/strong_rest.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

using detail::mark_of;
using detail::strong_marks;
using detail::strong_rest;

/// Each member marks from its vertex with the largest product of degrees. Returns the number of rounds.
std::uint64_t find_by_pivots(strong_rest& rest) {
  rest.take_alone();
  strong_marks forward(rest, rest.out), backward(rest, rest.in);
  auto const product = [&](vertex v) { return rest.out.degree(v) * rest.in.degree(v); };
  for (std::uint64_t rounds = 0;; ++rounds) {
    if (rest.prepare().units == 0) return rounds;
    forward.clear();
    backward.clear();
    if (rest.trim().units == 0) return rounds + 1;
    epoch(rest.g.members(), [&] {
      if (rest.left.empty()) return;
      vertex const pivot = *std::ranges::max_element(rest.left, {}, product);
      std::uint64_t const mark = mark_of(rest.g.number(pivot));
      forward.put(pivot, mark);
      backward.put(pivot, mark);
    });
    for (vertex const u : rest.left) {
      if (forward[u] != 0 && forward[u] == backward[u]) {
        rest.finish(u, detail::number_of(forward[u]));
      } else {
        rest.split(u, detail::mixed(forward[u]) + backward[u]);
      }
    }
    rest.sweep();
  }
}

/// Which own units are on a path from a ghost to a ghost of the same part.
class between_ghosts {
 public:
  /// `exits`: 1 for units that lead to a ghost.
  between_ghosts(strong_rest const& rest, std::vector<std::uint8_t> exits) : rest_(rest), state_(std::move(exits)) {
    for (std::uint32_t const r : rest.g.neighbour_ranks()) {
      for (vertex const v : rest.g.mirrors_at(r)) {
        if (state_[rest.unit[v]] == 1 && is_entered(v)) add(rest.unit[v]);
      }
    }
    while (!found_.empty()) {
      vertex const u = found_.back();
      found_.pop_back();
      rest.each_of(u, [this](vertex v) { go_on(v); });
    }
  }
  bool operator[](vertex u) const { return state_[u] == 2; }

 private:
  void add(vertex u) {
    state_[u] = 2;
    found_.push_back(u);
  }
  [[nodiscard]] bool is_entered(vertex v) const {
    auto const row = rest_.in.row(v);
    return std::ranges::any_of(
        row, [&](vertex from) { return !rest_.g.is_local(from) && rest_.part[from] == rest_.part[v]; });
  }
  void go_on(vertex v) {
    for (vertex const to : rest_.out.row(v)) {
      if (!rest_.g.is_local(to)) return;  // those behind are ghosts, too
      vertex const u = rest_.unit[to];
      if (state_[u] == 1 && rest_.part[u] == rest_.part[v]) add(u);
    }
  }

  strong_rest const& rest_;
  std::vector<std::uint8_t> state_;
  std::vector<vertex> found_;
};

/// Units become the components of own edges. Those that are on no path from a ghost to a ghost are done.
void condense(strong_rest& rest) {
  rest.part.pull();
  auto local = detail::find_local_components(rest.out, {rest.part.own().data(), rest.g.all()}, strong_rest::gone);
  rest.unit = std::move(local.unit);
  rest.next = std::move(local.next);
  between_ghosts const stays(rest, std::move(local.exits));
  std::uint64_t const own_first = rest.g.map().first(rest.g.members().rank());
  rest.left.clear();
  for (vertex v = 0; v < rest.g.local(); ++v) {
    vertex const u = rest.unit[v];
    if (rest.part[v] == strong_rest::gone) continue;
    if (!stays[u]) {
      rest.part[v] = strong_rest::gone;
      rest.name[v] = own_first + u;
    } else if (u == v) {
      rest.left.push_back(v);
    }
  }
}

/// Forward from all units, backward from those that keep their own mark.
class colours {
 public:
  explicit colours(strong_rest& rest) : rest_(rest), forward_(rest, rest.out), backward_(rest, rest.in) {
    backward_.stay_within(&forward_);
  }

  void clear() {
    forward_.clear();
    backward_.clear();
  }
  void run() {
    team const& members = rest_.g.members();
    epoch(members, [this] {
      for (vertex const u : rest_.left) forward_.put(u, own(u));
    });
    forward_.pull();
    barrier(members);  // all have pulled
    epoch(members, [this] {
      for (vertex const u : rest_.left) {
        if (forward_[u] == own(u)) backward_.put(u, own(u));
      }
    });
    for (vertex const u : rest_.left) {
      if (backward_[u] != 0) {
        rest_.finish(u, detail::number_of(backward_[u]));
      } else {
        rest_.split(u, forward_[u]);
      }
    }
    rest_.sweep();
  }

 private:
  [[nodiscard]] std::uint64_t own(vertex u) const { return mark_of(rest_.g.number(u)); }

  strong_rest& rest_;
  strong_marks forward_, backward_;
};

std::uint64_t find_by_parts(strong_rest& rest, std::uint64_t gathered) {
  std::optional<colours> all;
  find_giant(rest);
  condense(rest);
  for (std::uint64_t rounds = 1;; ++rounds) {
    strong_rest::totals const now = rest.prepare();
    if (now.units == 0) return rounds;
    bool const is_much = now.edges > gathered || now.units >= strong_rest::gone;
    if (is_much && !all) all.emplace(rest);
    if (is_much) all->clear();
    if (rest.trim().units == 0) return rounds;
    if (!is_much) {
      detail::finish_at_one(rest);
      return rounds;
    }
    all->run();
  }
}

}  // namespace

strongly_connected strong_components(graph_shape const& g, scc_form how, std::optional<std::uint64_t> gathered) {
  strong_rest rest(g);
  constexpr std::uint64_t few = 1U << 22U, many = 1U << 28U;
  strongly_connected all;
  all.iterations = how == scc_form::pivots
                       ? find_by_pivots(rest)
                       : find_by_parts(rest, gathered.value_or(std::clamp(g.edges() / g.members().size(), few, many)));
  auto labels = detail::label_components(rest);
  all.label = std::move(labels.label);
  all.count = labels.count;
  all.largest = labels.largest;
  all.messages = all_reduce(g.members(), rest.messages, std::plus<>{});
  return all;
}

}  // namespace sheaf
