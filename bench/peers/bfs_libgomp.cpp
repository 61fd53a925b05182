// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.bfs.thread: direction-optimizing breadth-first search by OpenMP in shared memory (Beamer, Asanović,
/// Patterson, SC 2012): parents by compare-and-swap downwards, by bitmaps upwards.
#include "peers/graph_checks.hpp"
#include "peers/shared_graph.hpp"

namespace {

using namespace sheaf_bench;

class search {
 public:
  explicit search(shared_graph const& g)
      : g_(g), front_((g.vertices() + 63) / 64), next_(front_.size()), parent_(g.vertices()) {}

  /// Parents; -1: not reached.
  std::vector<std::int32_t> const& run(std::uint32_t root) {
#pragma omp parallel for
    for (std::uint32_t v = 0; v < g_.vertices(); ++v)
      parent_[v] = g_.degree(v) != 0 ? -static_cast<std::int32_t>(g_.degree(v)) : -1;
    parent_[root] = static_cast<std::int32_t>(root);
    queue_.assign(1, root);
    std::uint64_t left = g_.targets.size(), scouted = g_.degree(root);
    while (!queue_.empty()) {
      if (scouted > left / 15) {
        go_up();
        scouted = 1;
      } else {
        left -= std::min(left, scouted);
        scouted = step_down();
      }
    }
    return parent_;
  }

 private:
  static constexpr std::uint32_t ahead = 32;  // vertices whose rows are prefetched

  std::uint64_t step_down() {
    std::uint64_t scouted = 0;
    std::vector<std::uint32_t> all;
#pragma omp parallel reduction(+ : scouted)
    {
      std::vector<std::uint32_t> mine;
#pragma omp for nowait schedule(dynamic, 64)
      for (std::size_t k = 0; k < queue_.size(); ++k) {
        std::uint32_t const v = queue_[k];
        for (std::uint32_t const to : g_.row(v)) {
          std::int32_t old = parent_[to];
          if (old >= 0 || !__atomic_compare_exchange_n(&parent_[to], &old, static_cast<std::int32_t>(v), false,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
          mine.push_back(to);
          scouted += static_cast<std::uint64_t>(-old);
        }
      }
#pragma omp critical
      all.insert(all.end(), mine.begin(), mine.end());
    }
    queue_.swap(all);
    return scouted;
  }

  void go_up() {
    std::fill(front_.begin(), front_.end(), 0);
    for (std::uint32_t const v : queue_) front_[v / 64] |= std::uint64_t{1} << v % 64;
    std::uint64_t awake = queue_.size(), before = 0;
    do {
      before = awake;
      awake = step_up();
      front_.swap(next_);
    } while (awake >= before || awake > g_.vertices() / 18);
    queue_.clear();
    for (std::size_t w = 0; w < front_.size(); ++w) {
      for (std::uint64_t left = front_[w]; left != 0; left &= left - 1)
        queue_.push_back(static_cast<std::uint32_t>(64 * w + static_cast<std::uint64_t>(__builtin_ctzll(left))));
    }
  }
  std::uint64_t step_up() {
    std::uint64_t awake = 0;
#pragma omp parallel for reduction(+ : awake) schedule(dynamic, 64)
    for (std::size_t w = 0; w < next_.size(); ++w) {
      std::uint64_t found = 0;
      std::uint32_t const end = std::min<std::uint32_t>(g_.vertices(), static_cast<std::uint32_t>(64 * w + 64));
      for (auto v = static_cast<std::uint32_t>(64 * w); v < end; ++v) {
        if (v + ahead < g_.vertices() && parent_[v + ahead] < 0) __builtin_prefetch(g_.row(v + ahead).data());
        if (parent_[v] >= 0) continue;
        for (std::uint32_t const from : g_.row(v)) {
          if ((front_[from / 64] >> from % 64 & 1U) == 0) continue;
          parent_[v] = static_cast<std::int32_t>(from);
          found |= std::uint64_t{1} << v % 64;
          break;
        }
      }
      next_[w] = found;
      awake += static_cast<std::uint64_t>(__builtin_popcountll(found));
    }
    return awake;
  }

  shared_graph const& g_;
  std::vector<std::uint64_t> front_, next_;
  std::vector<std::int32_t> parent_;
  std::vector<std::uint32_t> queue_;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  graph_edges const edges(args);
  shared_graph const g = build_shared(edges);
  search one(g);
  auto const samples = search_samples(
      args, edges, 5, 16, [] {}, [&](std::uint64_t root) { one.run(static_cast<std::uint32_t>(root)); });
  for (std::uint64_t s = 0; s < 4; ++s) {
    auto const root = static_cast<std::uint32_t>(edges.root(s));
    check_tree(g, root, one.run(root));
  }
  print_result("ms", samples);
}
