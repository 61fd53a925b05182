// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Weakly connected components. Result: the smallest id of each vertex's component. Method: each member unites its
/// vertices by its edges (Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity Computation via Subgraph
/// Sampling, IPDPS 2018); sets that share vertices with others' hook on smaller ones (Zhang, Azad, Hu: FastSV, SIAM PP
/// 2020), or tell these their names. Data: disjoint sets of own vertices and ghosts, as most edges need no message; the
/// few sets that meet others' with their neighbours. A set is named by its smallest vertex's number in the graph.
#include "sheaf/graph/connected_components.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>

#include "graph/joined_sets.hpp"
#include "graph/vertex_sets.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

using detail::joined_sets;
using detail::set_place;
using detail::vertex_sets;

constexpr vertex none = ~vertex{0};
constexpr vertex sampled_edges = 2;
constexpr vertex ahead = 8;  // vertices whose neighbours are prefetched; their rows from twice as far

/// The set that most of some vertices are in.
vertex frequent_set(graph_shape const& g, vertex_sets const& sets) {
  constexpr std::uint64_t samples = 1024, far = 0x9E3779B97F4A7C15;  // far: their places have no pattern
  std::unordered_map<vertex, std::uint64_t> met;
  for (std::uint64_t k = 0; k < samples; ++k) ++met[sets.known_name(static_cast<vertex>((k * far >> 32U) % g.local()))];
  return std::ranges::max_element(met, {}, [](auto const& each) { return each.second; })->first;
}

void unite_rest(graph_shape const& g, vertex_sets& sets, vertex v) {
  auto const row = g.out().row(v);
  for (std::size_t k = sampled_edges; k < row.size(); ++k) sets.unite(v, row[k]);
  if (!g.is_directed()) return;
  for (vertex const from : g.in().row(v)) sets.unite(v, from);
}

std::span<vertex const> first_of(std::span<vertex const> row, std::size_t count) {
  return row.first(std::min(row.size(), count));
}

/// Unites by all edges; or by few of the vertices of the set that it returns, whose other edges lead nowhere new, or
/// are known to their other end.
vertex unite_by_edges(graph_shape const& g, vertex_sets& sets) {
  vertex const rounds = g.has_in() ? sampled_edges : none;
  for (vertex v = 0; v < g.local(); ++v) {
    if (v + 2 * ahead < g.local()) __builtin_prefetch(g.out().row(v + 2 * ahead).data());
    if (v + ahead < g.local()) {
      for (vertex const to : first_of(g.out().row(v + ahead), sampled_edges)) sets.fetch(to);
    }
    for (vertex const to : first_of(g.out().row(v), rounds)) sets.unite(v, to);
  }
  sets.compress();
  if (!g.has_in() || g.local() == 0) return none;
  vertex const largest = frequent_set(g, sets);
  for (vertex v = 0; v < g.local(); ++v) {
    if (sets.known_name(v) != largest) unite_rest(g, sets, v);
  }
  sets.compress();
  return sets.known_name(largest);
}

/// What both forms have: sets with names that become smaller, and at the end those of their components.
class naming {
 public:
  naming(graph_shape const& g, joined_sets const& sets)
      : g_(g),
        sets_(sets),
        own_first_(g.map().first(g.members().rank())),
        best_(sets.size()),
        fetched_(sets.size()),
        total_(sets.size(), 0),
        smallest_(sets.size(), ~std::uint64_t{0}) {
    for (std::size_t k = 0; k < sets.size(); ++k) best_[k] = own_first_ + sets.name(k);
  }

  /// Collective. Own joined sets get the labels of their components. Gives the number of components whose name is one
  /// of these, and the size of the largest.
  std::array<std::uint64_t, 2> finish(std::vector<std::uint64_t>& label, std::vector<vertex> const& sizes) {
    asked_ = &smallest_;
    epoch(g_.members(), [&] {
      for (std::size_t k = 0; k < sets_.size(); ++k) {
        set_place const at = place_of(best_[k]);
        share_.send(at.rank, {at.name, sizes[sets_.name(k)], label[sets_.name(k)]});
      }
    });
    fetch();
    std::array<std::uint64_t, 2> own{};
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      label[sets_.name(k)] = fetched_[k];
      if (total_[k] != 0) own = {own[0] + 1, std::max(own[1], total_[k])};
    }
    return own;
  }

 protected:
  struct share {
    vertex name;
    vertex size;
    std::uint64_t smallest;
  };
  struct question {
    vertex name;
    vertex asker;
  };
  struct answer {
    vertex asker;
    std::uint64_t value;
  };

  [[nodiscard]] set_place place_of(std::uint64_t number) const {
    std::uint32_t const rank = g_.map().owner(number);
    return {rank, static_cast<vertex>(number - g_.map().first(rank))};
  }
  /// fetched_[k] becomes the value in asked_ of the set best_[k].
  void fetch() {
    epoch(g_.members(), [this] {
      for (std::size_t k = 0; k < sets_.size(); ++k) {
        set_place const at = place_of(best_[k]);
        question_.send(at.rank, {at.name, static_cast<vertex>(k)});
      }
    });
  }
  void take_share(share const& its) noexcept {
    std::size_t const k = sets_.position(its.name);
    total_[k] += its.size;
    smallest_[k] = std::min(smallest_[k], its.smallest);
  }

  graph_shape const& g_;
  joined_sets const& sets_;
  std::uint64_t const own_first_;
  std::vector<std::uint64_t> best_;  // the smallest name that a set knows
  std::vector<std::uint64_t> fetched_;
  std::vector<std::uint64_t> const* asked_ = nullptr;

 private:
  std::vector<std::uint64_t> total_, smallest_;
  message_type<share, unordered> share_{g_.members(), [this](share const& its) noexcept { take_share(its); }};
  message_type<answer, unordered> answer_{g_.members(),
                                          [this](answer const& its) noexcept { fetched_[its.asker] = its.value; }};
  message_type<question, unordered> question_{g_.members(), [this](question const& its, std::uint64_t sender) {
                                                answer_.send(sender, {its.asker, (*asked_)[sets_.position(its.name)]});
                                              }};
};

/// FastSV: `best_` is f, `fetched_` is f(f). All values only fall; so it does no harm that a faster member's messages
/// of the next epoch come early.
class hooking_sets : public naming {
 public:
  using naming::naming;

  void run() {
    asked_ = &best_;
    fetched_ = best_;
    for (bool goes_on = true; goes_on;) {
      epoch(g_.members(), [this] { tell_neighbours(); });
      epoch(g_.members(), [this] { hook(); });
      fetch();
      bool const changed = std::exchange(changed_, false) || told_ != fetched_;
      goes_on = all_reduce(g_.members(), changed, std::logical_or<>{});
    }
  }

 private:
  struct name_for {
    vertex set;
    std::uint64_t name;
  };

  void tell_neighbours() {
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      if (told_[k] == fetched_[k]) continue;
      told_[k] = fetched_[k];
      for (set_place const& to : sets_.neighbours(k)) offer_.send(to.rank, {to.name, told_[k]});
    }
  }
  void hook() {
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      set_place const above = place_of(best_[k]);
      if (offered_[k] < fetched_[k]) hook_.send(above.rank, {above.name, offered_[k]});
      lower(best_[k], std::min(offered_[k], fetched_[k]));
    }
  }
  void lower(std::uint64_t& its, std::uint64_t to) noexcept {
    if (to >= its) return;
    its = to;
    changed_ = true;
  }

  std::vector<std::uint64_t> told_ = std::vector<std::uint64_t>(sets_.size(), ~std::uint64_t{0});  // to neighbours
  std::vector<std::uint64_t> offered_ = told_;  // by neighbours: the smallest
  bool changed_ = false;
  message_type<name_for, unordered> offer_{
      g_.members(), [this](name_for const& its) noexcept { lower(offered_[sets_.position(its.set)], its.name); }};
  message_type<name_for, unordered> hook_{
      g_.members(), [this](name_for const& its) noexcept { lower(best_[sets_.position(its.set)], its.name); }};
};

/// Nobody waits for others.
class telling_sets : public naming {
 public:
  using naming::naming;

  void run() {
    epoch(g_.members(), [this] {
      for (std::size_t k = 0; k < sets_.size(); ++k) tell(k);
    });
  }

 private:
  struct name_for {
    vertex set;
    std::uint64_t name;
  };

  void tell(std::size_t k) {
    for (set_place const& to : sets_.neighbours(k)) name_.send(to.rank, {to.name, best_[k]});
  }
  void take(name_for const& its) {
    std::size_t const k = sets_.position(its.set);
    if (its.name >= best_[k]) return;
    best_[k] = its.name;
    tell(k);
  }

  message_type<name_for, unordered> name_{g_.members(), [this](name_for const& its) { take(its); }};
};

template <class Naming>
std::array<std::uint64_t, 2> name_joined(graph_shape const& g, joined_sets const& sets,
                                         std::vector<std::uint64_t>& label, std::vector<vertex> const& sizes) {
  Naming its(g, sets);
  its.run();
  return its.finish(label, sizes);
}

}  // namespace

components connected_components(graph_shape const& g, components_form how) {
  vertex_sets sets(g.all());
  vertex const largest = unite_by_edges(g, sets);
  joined_sets const joined(g, sets, largest);
  components all{std::vector<std::uint64_t>(g.local())};
  std::vector<vertex> sizes(g.local(), 0);
  for (vertex v = 0; v < g.local(); ++v) {
    vertex const name = sets.known_name(v);  // not behind v
    all.label[v] = g.id(v);
    all.label[name] = std::min(all.label[name], all.label[v]);
    ++sizes[name];
  }
  auto own = how == components_form::messages ? name_joined<telling_sets>(g, joined, all.label, sizes)
                                              : name_joined<hooking_sets>(g, joined, all.label, sizes);
  std::size_t next = 0;  // of the joined ones
  for (vertex v = 0; v < g.local(); ++v) {
    vertex const name = sets.known_name(v);
    if (name != v) {
      all.label[v] = all.label[name];
    } else if (next < joined.size() && joined.name(next) == v) {
      ++next;
    } else {
      own = {own[0] + 1, std::max<std::uint64_t>(own[1], sizes[v])};
    }
  }
  own = all_reduce(g.members(), own, [](auto const& a, auto const& b) {
    return std::array<std::uint64_t, 2>{a[0] + b[0], std::max(a[1], b[1])};
  });
  all.count = own[0];
  all.largest = own[1];
  return all;
}

}  // namespace sheaf
