// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/mirror_lists.hpp"
#include "graph/work_list.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/graph/graph_shape.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Vertices in a random order, which is a function of ids and the seed alone. Each is decided when all neighbours in
/// front of it are: decide(v, this) gives its value. What is decided so is the same for any number of members. One
/// epoch; a message of 8 bytes for each ghost. Edges have no direction; a directed graph needs graph_shape::in.
template <class Decide>
class priority_order {
 public:
  static constexpr std::uint32_t undecided = ~std::uint32_t{0};

  priority_order(graph_shape const& g, std::uint64_t seed, Decide decide)
      : g_(g), decide_(std::move(decide)), rows_{&g.out(), g.is_directed() ? &g.in() : nullptr}, priority_(g.all()) {
    for (vertex v = 0; v < g.all(); ++v) priority_[v] = random_words(seed, g.id(v)).word(0);  // no two are equal
    value_.assign(g.all(), undecided);
    waits_.assign(g.local(), 0);
    behind_ghosts_ = rows_of_ghosts(g, [this](vertex v, vertex ghost) { return is_before(ghost, v); });
    for (vertex v = 0; v < g.local(); ++v) {
      each_before(v, [this, v](vertex) { ++waits_[v]; });
    }
  }

  /// Collective. The values of own vertices.
  std::vector<std::uint32_t> run() {
    barrier(g_.members());  // all are ready for messages
    epoch(g_.members(), [this] {
      for (vertex v = 0; v < g_.local(); ++v) {
        if (waits_[v] == 0 && value_[v] == undecided) work_.add(v);
      }
    });
    value_.resize(g_.local());
    return std::move(value_);
  }

  [[nodiscard]] std::uint32_t value(vertex v) const { return value_[v]; }
  /// Calls f for each neighbour in front of v.
  template <class F>
  void each_before(vertex v, F f) const {
    for (adjacency const* const rows : rows_) {
      if (rows == nullptr) continue;
      for (vertex const to : rows->row(v)) {
        if (is_before(to, v)) f(to);
      }
    }
  }

 private:
  struct decided {
    std::uint32_t position, value;
  };

  [[nodiscard]] bool is_before(vertex a, vertex b) const { return priority_[a] < priority_[b]; }
  void end_wait(vertex v) {
    if (--waits_[v] == 0) work_.add(v);
  }
  void expand(vertex v) {
    if (value_[v] != undecided) return;
    std::uint32_t const value = value_[v] = decide_(v, std::as_const(*this));
    for (adjacency const* const rows : rows_) {
      if (rows != nullptr) pass_on(rows->row(v), v);
    }
    for (mirror_place const& at : mirrors_[v]) tell_.send(at.rank, {at.position, value});
  }
  void pass_on(std::span<vertex const> row, vertex v) {
    for (vertex const to : row) {
      if (g_.is_local(to) && is_before(v, to)) end_wait(to);
    }
  }
  void take(decided const& its, std::uint64_t sender) {
    vertex const ghost = g_.ghosts_of(static_cast<std::uint32_t>(sender)).first + its.position;
    value_[ghost] = its.value;
    for (vertex const v : behind_ghosts_.row(ghost - g_.local())) end_wait(v);
  }

  struct expanding {
    priority_order& all;
    void operator()(vertex v) const { all.expand(v); }
  };

  graph_shape const& g_;
  Decide decide_;
  adjacency const* const rows_[2];
  std::vector<std::uint64_t> priority_;  // the smallest is first
  std::vector<std::uint32_t> value_, waits_;
  mirror_lists const mirrors_{g_};
  adjacency behind_ghosts_;
  work_list<expanding> work_{g_, expanding{*this}};
  message_type<decided, unordered> tell_{g_.members(),
                                         [this](decided const& its, std::uint64_t sender) { take(its, sender); }};
};

}  // namespace sheaf::detail
