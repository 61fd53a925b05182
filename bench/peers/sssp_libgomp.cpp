// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.sssp.thread: Δ-stepping (Meyer, Sanders 2003) by OpenMP in shared memory: buckets of each thread, a
/// common front, and small buckets finished by the thread that fills them (Zhang et al., CGO 2020).
#include <limits>

#include "peers/graph_checks.hpp"
#include "peers/shared_graph.hpp"

namespace {

using namespace sheaf_bench;

struct road {
  std::uint32_t to, weight;
};

class paths {
 public:
  paths(shared_graph const& g, std::uint32_t delta)
      : g_(g), delta_(delta), roads_(g.targets.size()), far_(g.vertices()) {
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::uint32_t v = 0; v < g.vertices(); ++v) {
      for (std::uint64_t k = g.first[v]; k < g.first[v + 1]; ++k)
        roads_[k] = {g.targets[k], graph_edges::weight(v, g.targets[k])};
    }
    front_.resize(g.targets.size() + 1);
  }

  std::vector<std::uint32_t> const& run(std::uint32_t root) {
#pragma omp parallel for
    for (std::uint32_t v = 0; v < g_.vertices(); ++v) far_[v] = far;
    far_[root] = 0;
    front_[0] = root;
    std::size_t sizes[2] = {1, 0}, buckets[2] = {0, none};
#pragma omp parallel
    {
      std::vector<std::vector<std::uint32_t>> mine;
      for (std::size_t round = 0; buckets[round % 2] != none; ++round) {
        std::size_t &bucket = buckets[round % 2], &next = buckets[(round + 1) % 2];
        std::size_t &size = sizes[round % 2], &next_size = sizes[(round + 1) % 2];
#pragma omp for nowait schedule(dynamic, 64)
        for (std::size_t k = 0; k < size; ++k) {
          if (load(front_[k]) >= delta_ * static_cast<std::uint64_t>(bucket)) relax(front_[k], mine);
        }
        finish_small(bucket, mine);
        for (std::size_t b = bucket; b < mine.size(); ++b) {
          if (mine[b].empty()) continue;
#pragma omp critical
          next = std::min(next, b);
          break;
        }
#pragma omp barrier
#pragma omp single nowait
        {
          bucket = none;
          size = 0;
        }
        if (next < mine.size()) {
          std::size_t const at = __atomic_fetch_add(&next_size, mine[next].size(), __ATOMIC_RELAXED);
          std::copy(mine[next].begin(), mine[next].end(), front_.begin() + static_cast<std::ptrdiff_t>(at));
          mine[next].clear();
        }
#pragma omp barrier
      }
    }
    return far_;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max(), small = 1000;

  [[nodiscard]] std::uint32_t load(std::uint32_t v) const { return __atomic_load_n(&far_[v], __ATOMIC_RELAXED); }
  void relax(std::uint32_t v, std::vector<std::vector<std::uint32_t>>& mine) {
    std::uint32_t const from = load(v);
    for (std::uint64_t k = g_.first[v]; k < g_.first[v + 1]; ++k) {
      road const& one = roads_[k];
      std::uint32_t old = load(one.to);
      std::uint32_t const length = from + one.weight;
      while (length < old) {
        if (!__atomic_compare_exchange_n(&far_[one.to], &old, length, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
          continue;
        std::size_t const b = length / delta_;
        if (b >= mine.size()) mine.resize(b + 1);
        mine[b].push_back(one.to);
        break;
      }
    }
  }
  /// What this thread adds to the bucket that is done now.
  void finish_small(std::size_t bucket, std::vector<std::vector<std::uint32_t>>& mine) {
    while (bucket < mine.size() && !mine[bucket].empty() && mine[bucket].size() < small) {
      std::vector<std::uint32_t> const now = std::move(mine[bucket]);
      mine[bucket] = {};
      for (std::uint32_t const v : now) relax(v, mine);
    }
  }

  shared_graph const& g_;
  std::uint32_t const delta_;
  std::vector<road> roads_;
  std::vector<std::uint32_t> far_;
  std::vector<std::uint32_t> front_;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  graph_edges const edges(args);
  shared_graph const g = build_shared(edges);
  paths one(g, static_cast<std::uint32_t>(args.number("--delta", edges.is_kron() ? 8 : 32)));
  auto const samples = search_samples(
      args, edges, 3, 8, [] {}, [&](std::uint64_t root) { one.run(static_cast<std::uint32_t>(root)); });
  for (std::uint64_t s = 0; s < 2; ++s) {
    auto const root = static_cast<std::uint32_t>(edges.root(s));
    check(one.run(root) == distances(g, root), "a distance is wrong");
  }
  print_result("ms", samples);
}
