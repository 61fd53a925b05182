// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Triangles. Result: their number. Method: edges lead to higher degrees (Chiba, Nishizeki 1985), so that rows are
/// short; a row goes to the owners of its targets, where it is intersected with theirs (Arifuzzaman, Khan, Marathe:
/// PATRIC, CIKM 2013). Data: rows of numbers in the whole graph, which mean the same at each member; a row is marked in
/// a bitmap, as testing bits has no branch. Encoding: a batch of rows, each behind its length: a row is sent once for
/// a member, where a message for each pair of targets would be sent in proportion to the row's square.
#include "sheaf/graph/triangles.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "graph/bitmap.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/graph/vertex_values.hpp"

namespace sheaf {

namespace {

/// Of own vertices: the neighbours of higher degree or, of the same degree, higher number; ascending. N is a number in
/// the graph.
template <class N>
class upward_rows {
 public:
  explicit upward_rows(graph_shape const& g) : g_(g) {
    vertex_values<std::uint32_t> degree(g);
    for (vertex v = 0; v < g_.local(); ++v)
      degree[v] = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(g_.out().degree(v), std::numeric_limits<std::uint32_t>::max()));
    degree.pull();
    first_.reserve(g_.local() + std::size_t{1});
    targets_.reserve(g_.out().targets.size() / 2);
    for (vertex v = 0; v < g_.local(); ++v) add_row(v, degree);
  }

  [[nodiscard]] std::span<N const> operator[](std::size_t v) const {
    return {targets_.data() + first_[v], first_[v + 1] - first_[v]};
  }
  [[nodiscard]] std::size_t size() const { return targets_.size(); }
  void fetch_place(std::size_t v) const { __builtin_prefetch(first_.data() + v); }
  void fetch(std::size_t v) const { __builtin_prefetch(targets_.data() + first_[v]); }

 private:
  /// Vertices of a row ascend as numbers do, but that own ones come before others' that have smaller numbers.
  void add_row(vertex v, vertex_values<std::uint32_t> const& degree) {
    auto const row = g_.out().row(v);
    auto const others = std::ranges::lower_bound(row, g_.local());
    std::uint32_t const own_rank = g_.members().rank();
    auto const behind = std::lower_bound(others, row.end(), g_.ghosts_of(own_rank).second);
    std::uint64_t const number = g_.number(v);
    for (auto const& [from, to] : {std::pair{others, behind}, {row.begin(), others}, {behind, row.end()}}) {
      for (auto at = from; at != to; ++at) {
        if (at != from && *at == *(at - 1)) continue;
        std::uint64_t const other = g_.number(*at);
        if (degree[*at] > degree[v] || (degree[*at] == degree[v] && other > number))
          targets_.push_back(static_cast<N>(other));
      }
    }
    first_.push_back(targets_.size());
  }

  graph_shape const& g_;
  std::vector<std::uint64_t> first_{0};
  std::vector<N> targets_;
};

template <class N>
class counting {
 public:
  explicit counting(graph_shape const& g)
      : g_(g),
        own_first_(g.map().first(g.members().rank())),
        rows_(g),
        has_marks_(g.vertices() / 64 <= rows_.size()),
        marks_(has_marks_ ? g.vertices() : 0),
        batches_(g.neighbour_ranks().size()) {}

  std::uint64_t run() {
    return epoch(
        g_.members(), [this] { count_all(); }, [this] { return found_; }, std::plus<>{});
  }

 private:
  static constexpr std::size_t batch = 8192;  // numbers
  static constexpr std::size_t ahead = 8;     // rows

  void count_all() {
    for (vertex v = 0; v < g_.local(); ++v) {
      std::span<N const> const row = rows_[v];
      if (row.size() < 2) continue;
      count_in(row);
      send(row);
    }
    for (std::size_t k = 0; k < batches_.size(); ++k) send_batch(k);
  }
  /// To the other members that own one of them. They are in the order of owners.
  void send(std::span<N const> row) {
    for (auto at = row.begin(); at != row.end();) {
      std::uint32_t const r = g_.map().owner(*at);
      at = std::lower_bound(at, row.end(), g_.map().first(r) + g_.map().count(r));
      if (r == g_.members().rank()) continue;
      auto const to =
          static_cast<std::size_t>(std::ranges::lower_bound(g_.neighbour_ranks(), r) - g_.neighbour_ranks().begin());
      std::vector<N>& all = batches_[to];
      if (!all.empty() && all.size() + row.size() >= batch) send_batch(to);
      all.push_back(static_cast<N>(row.size()));
      all.insert(all.end(), row.begin(), row.end());
    }
  }
  void send_batch(std::size_t to) {
    if (batches_[to].empty()) return;
    rows_of_others_.send(g_.neighbour_ranks()[to], batches_[to]);
    batches_[to].clear();
  }
  void take(std::vector<N> const& all) noexcept {
    for (std::size_t k = 0; k < all.size(); k += all[k] + std::size_t{1}) count_in({all.data() + k + 1, all[k]});
  }

  /// Pairs of a row of which the first is an own vertex, and the second in its row.
  void count_in(std::span<N const> row) noexcept {
    auto const first = std::ranges::lower_bound(row, own_first_);
    auto const last = std::lower_bound(first, row.end(), own_first_ + g_.local());
    if (first == last) return;
    std::span<N const> const own(first, last);
    if (!has_marks_) {
      for (N const each : own) found_ += common(row, rows_[each - own_first_]);
      return;
    }
    for (std::size_t k = 0; k < 2 * ahead; ++k) fetch_place(own, k);
    for (N const each : row) marks_.set(each);
    for (std::size_t k = 0; k < ahead; ++k) fetch_row(own, k);
    for (std::size_t k = 0; k < own.size(); ++k) {
      fetch_place(own, k + 2 * ahead);
      fetch_row(own, k + ahead);
      found_ += marked(rows_[own[k] - own_first_]);
    }
    for (N const each : row) marks_.unset(each);
  }
  /// Rows are far apart. Prefetching them takes a third of the time off.
  void fetch_place(std::span<N const> own, std::size_t k) const {
    if (k < own.size()) rows_.fetch_place(own[k] - own_first_);
  }
  void fetch_row(std::span<N const> own, std::size_t k) const {
    if (k < own.size()) rows_.fetch(own[k] - own_first_);
  }
  [[nodiscard]] std::uint64_t marked(std::span<N const> row) const {
    std::uint64_t sum = 0;
    for (N const each : row) sum += std::uint64_t{marks_[each]};
    return sum;
  }
  [[nodiscard]] static std::uint64_t common(std::span<N const> a, std::span<N const> b) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      N const x = a[i], y = b[j];
      sum += x == y ? 1 : 0;
      i += x <= y ? 1 : 0;
      j += y <= x ? 1 : 0;
    }
    return sum;
  }

  graph_shape const& g_;
  std::uint64_t const own_first_;
  upward_rows<N> const rows_;
  bool const has_marks_;  // where they take less memory than rows
  detail::bitmap marks_;
  std::vector<std::vector<N>> batches_;  // for each of the graph's neighbour_ranks
  std::uint64_t found_ = 0;
  message_type<std::vector<N>> rows_of_others_{g_.members(), [this](std::vector<N> const& all) noexcept { take(all); }};
};

}  // namespace

std::uint64_t count_triangles(graph_shape const& g) {
  if (g.is_directed())
    throw usage_error(
        "sheaf: triangles are counted in undirected graphs; build the graph with graph_options::directed = false");
  bool const is_small = g.vertices() <= std::numeric_limits<std::uint32_t>::max();
  return is_small ? counting<std::uint32_t>(g).run() : counting<std::uint64_t>(g).run();
}

}  // namespace sheaf
