// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The graphs of the graph rows, for Sheaf's programs and their peers: edge i is a function of i. Both make them
/// undirected, without loops and parallel edges.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure.hpp"

namespace sheaf_bench {

/// `--degree` edges for each of 2^scale vertices; with `--cycle 1` also those of a cycle through all vertices.
class graph_edges {
 public:
  /// `--graph kron` (A = 0.57, B = C = 0.19) or uniform, `--scale`.
  explicit graph_edges(arguments const& args)
      : kron_(args.text("--graph", "kron") == "kron"),
        scale_(args.number("--scale", 20)),
        degree_(args.number("--degree", 16)),
        cycle_(args.number("--cycle", 0) != 0) {
    check(kron_ || args.text("--graph", "kron") == "uniform", "--graph is kron or uniform");
    check(scale_ > 0 && scale_ < 32, "--scale is 1 to 31");
  }

  [[nodiscard]] bool is_kron() const { return kron_; }
  [[nodiscard]] std::uint64_t vertices() const { return std::uint64_t{1} << scale_; }
  [[nodiscard]] std::uint64_t count() const { return drawn() + (cycle_ ? vertices() : 0); }

  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> operator[](std::uint64_t i) const {
    if (i >= drawn()) return {scrambled(i), scrambled(i + 1)};
    splitmix64 next(i * 0x632be59bd9b4e019u + 1);
    std::uint64_t from = 0, to = 0;
    if (!kron_) return {next() % vertices(), next() % vertices()};
    for (std::int64_t bit = 0; bit < scale_; ++bit) {
      std::uint64_t const dice = next() >> 32U;
      bool const low = dice >= share(0.57), high = dice >= share(0.76);
      from = 2 * from + (high ? 1 : 0);
      to = 2 * to + ((low && !high) || dice >= share(0.95) ? 1 : 0);
    }
    return {scrambled(from), scrambled(to)};
  }

  /// 1…255, the same for all edges between two vertices.
  [[nodiscard]] static std::uint32_t weight(std::uint64_t from, std::uint64_t to) {
    return static_cast<std::uint32_t>(splitmix64(std::min(from, to) << 32U | std::max(from, to))() % 255 + 1);
  }

  /// A vertex to search from, which has an edge (unless it is a loop).
  [[nodiscard]] std::uint64_t root(std::uint64_t search) const { return (*this)[search * 1'000'003 % count()].first; }

 private:
  [[nodiscard]] std::uint64_t drawn() const { return static_cast<std::uint64_t>(degree_) * vertices(); }
  static constexpr std::uint64_t share(double part) { return static_cast<std::uint64_t>(part * 4294967296.0); }
  /// A bijection, so that neighbours in number are none in the graph.
  [[nodiscard]] std::uint64_t scrambled(std::uint64_t v) const {
    for (int round = 0; round < 2; ++round) {
      v = v * 0x9E3779B97F4A7C15u & (vertices() - 1);
      v ^= v >> (scale_ / 2 + 1);
    }
    return v;
  }

  bool kron_;
  std::int64_t scale_, degree_;
  bool cycle_;
};

/// Milliseconds of `search(root)`, mean over `--searches` roots, in each repetition; `start()` meets the others before.
template <class Start, class Search>
std::vector<double> search_samples(arguments const& args, graph_edges const& edges, int reps, std::int64_t searches,
                                   Start start, Search search) {
  auto const count = static_cast<std::uint64_t>(args.number("--searches", searches));
  return sample(1, args.reps(reps), [&](int) {
    start();
    std::int64_t sum = 0;
    for (std::uint64_t s = 0; s < count; ++s) {
      std::uint64_t const root = edges.root(s);
      std::int64_t const begin = now_ns();
      search(root);
      sum += now_ns() - begin;
    }
    return static_cast<double>(sum) / 1e6 / static_cast<double>(count);
  });
}

}  // namespace sheaf_bench
