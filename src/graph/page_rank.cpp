// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// PageRank. Result: a distribution over the vertices. Method: each vertex pulls from its in-neighbours, with new
/// values of the same member (Gauss-Seidel; Arasu, Novak, Tomkins, Tomlin 2002), and values of others of the last
/// iteration. Data: what each vertex known here gives to each of its out-neighbours, in one array, of which the ghosts'
/// part comes in one message from each member. What all vertices get alike is one number. It is in proportion to the
/// sum of all ranks, which Gauss-Seidel does not keep, so that the sum does not have to converge; and vertices without
/// any edge, whose ranks are that number, are solved for. It begins with ranks in proportion to the edges that end at
/// each vertex: in undirected graphs the limit without damping, so that it takes fewer iterations.
#include "sheaf/graph/page_rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

/// Over all vertices.
struct sums {
  double change = 0, rank = 0;
  double lost = 0;  // the rank of those that have in-edges, but no out-edges

  friend sums operator+(sums const& a, sums const& b) {
    return {a.change + b.change, a.rank + b.rank, a.lost + b.lost};
  }
};

template <class T>
class ranking {
 public:
  ranking(graph_shape const& g, page_rank_options const& how)
      : g_(g),
        in_(g.in()),
        how_(how),
        share_(1 / static_cast<double>(std::max<std::uint64_t>(1, g.vertices()))),
        lone_(all_reduce(g.members(), count_lone(), std::plus<>{})),
        given_(g) {
    begin_by_degrees();
  }

  page_ranks run() {
    double const own = std::accumulate(all_.rank.begin(), all_.rank.end(), 0.0);
    sums last = all_reduce(g_.members(), sums{0, own, lost()}, std::plus<>{});
    all_.change = g_.vertices() == 0 ? 0 : 2;  // no change of a distribution is larger
    while (all_.iterations < how_.most_iterations && all_.change >= how_.tolerance) {
      given_.pull();
      double const spread = (1 - how_.damping) * last.rank + how_.damping * last.lost;
      last = all_reduce(g_.members(), iterate(spread * share_ / (1 - how_.damping * lone_ * share_)), std::plus<>{});
      ++all_.iterations;
      all_.change = last.change / last.rank;
    }
    for (double& each : all_.rank) each /= last.rank;
    return std::move(all_);
  }

 private:
  [[nodiscard]] bool is_lost(vertex v) const { return g_.out().degree(v) == 0 && in_.degree(v) != 0; }
  [[nodiscard]] double count_lone() const {
    double own = 0;
    for (vertex v = 0; v < g_.local(); ++v) own += g_.out().degree(v) == 0 && in_.degree(v) == 0 ? 1 : 0;
    return own;
  }
  /// As if each vertex with edges had what comes in the limit without damping.
  void begin_by_degrees() {
    auto const edges = static_cast<double>(all_reduce(g_.members(), in_.targets.size(), std::plus<>{}));
    double const joined = static_cast<double>(g_.vertices()) - lone_;
    double const least = 1 / (lone_ + joined / (1 - how_.damping));
    double const each = least * how_.damping / (1 - how_.damping) * joined / std::max(1.0, edges);
    all_.rank.reserve(g_.local());
    for (vertex v = 0; v < g_.local(); ++v) {
      all_.rank.push_back(least + each * static_cast<double>(in_.degree(v)));
      give(v, all_.rank[v]);
    }
  }
  [[nodiscard]] double lost() const {
    double own = 0;
    for (vertex v = 0; v < g_.local(); ++v) own += is_lost(v) ? all_.rank[v] : 0;
    return own;
  }
  void give(vertex v, double rank) {
    given_[v] = static_cast<T>(rank / static_cast<double>(std::max<std::uint64_t>(1, g_.out().degree(v))));
  }

  sums iterate(double everywhere) {
    sums own;
    for (vertex v = 0; v < g_.local(); ++v) {
      double const rank = everywhere + how_.damping * received(in_.row(v));
      own.change += std::abs(rank - all_.rank[v]);
      own.rank += rank;
      if (is_lost(v)) own.lost += rank;
      all_.rank[v] = rank;
      give(v, rank);
    }
    return own;
  }
  /// In four sums, as each addition waits for the one before it; and by pieces, as equal terms that are small beside
  /// the sum of millions would all be rounded one way.
  [[nodiscard]] double received(std::span<vertex const> row) const {
    constexpr std::size_t piece = 256;
    double all = 0;
    for (; row.size() > piece; row = row.subspan(piece)) all += received_of_piece(row.first(piece));
    return all + received_of_piece(row);
  }
  [[nodiscard]] double received_of_piece(std::span<vertex const> row) const {
    std::array<T, 4> sum{};
    vertex const* at = row.data();
    vertex const* const end = at + row.size();
    for (; end - at >= 4; at += 4) {
      for (std::size_t j = 0; j < 4; ++j) sum[j] += given_[at[j]];
    }
    for (; at != end; ++at) sum[0] += given_[*at];
    return static_cast<double>((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }

  graph_shape const& g_;
  adjacency const& in_;
  page_rank_options const how_;
  double const share_;  // of each vertex, if all have the same
  double const lone_;   // vertices without edges
  vertex_values<T> given_;
  page_ranks all_;
};

}  // namespace

page_ranks page_rank(graph_shape const& g, page_rank_options const& how) {
  if (!(how.damping >= 0 && how.damping < 1))
    throw usage_error("sheaf: page_rank_options::damping is " + std::to_string(how.damping) +
                      "; it must be 0 or more, and less than 1");
  if (!(how.tolerance >= 0))
    throw usage_error("sheaf: page_rank_options::tolerance is " + std::to_string(how.tolerance) + "; give 0 or more");
  constexpr double least_of_float = 1e-5;
  return how.tolerance < least_of_float ? ranking<double>(g, how).run() : ranking<float>(g, how).run();
}

}  // namespace sheaf
