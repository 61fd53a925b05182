// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peers of graph.pagerank, graph.cc and graph.triangles by OpenMP in shared memory: pull in place (Gauss-Seidel),
/// Afforest (Sutton, Ben-Nun, Barak 2018), and marked rows towards higher degrees.
#include <cmath>
#include <unordered_map>

#include "peers/shared_graph.hpp"

namespace {

using namespace sheaf_bench;

constexpr double damping = 0.85, tolerance = 1e-4;

/// Ranks by float, as the ranks' tolerance allows. Vertices without edges keep the least rank. It begins with ranks in
/// proportion to degrees, as Sheaf does.
std::vector<float> page_rank(shared_graph const& g) {
  std::uint32_t const n = g.vertices();
  auto const base = static_cast<float>((1 - damping) / n);
  std::vector<float> rank(n), given(n);
  std::uint32_t joined = 0;
#pragma omp parallel for reduction(+ : joined)
  for (std::uint32_t v = 0; v < n; ++v) joined += g.degree(v) != 0 ? 1 : 0;
  float const each = static_cast<float>(damping * joined / n) / static_cast<float>(g.targets.size());
#pragma omp parallel for
  for (std::uint32_t v = 0; v < n; ++v) {
    auto const degree = static_cast<float>(g.degree(v));
    rank[v] = base + each * degree;
    given[v] = rank[v] / std::max(1.0F, degree);
  }
  for (double change = 1; change >= tolerance;) {
    change = 0;
#pragma omp parallel for reduction(+ : change) schedule(dynamic, 16384)
    for (std::uint32_t v = 0; v < n; ++v) {
      float sum[4] = {0, 0, 0, 0};
      auto const row = g.row(v);
      std::size_t k = 0;
      for (; k + 4 <= row.size(); k += 4) {
        for (std::size_t j = 0; j < 4; ++j) sum[j] += given[row[k + j]];
      }
      for (; k < row.size(); ++k) sum[0] += given[row[k]];
      float const now = base + static_cast<float>(damping) * (sum[0] + sum[1] + sum[2] + sum[3]);
      change += std::fabs(now - rank[v]);
      rank[v] = now;
      given[v] = now / static_cast<float>(std::max<std::uint64_t>(1, row.size()));
    }
  }
  return rank;
}
/// A step changes the ranks by little.
void check_ranks(shared_graph const& g, std::vector<float> const& rank) {
  double change = 0;
  for (std::uint32_t v = 0; v < g.vertices(); ++v) {
    double sum = 0;
    for (std::uint32_t const from : g.row(v)) sum += rank[from] / static_cast<double>(g.degree(from));
    change += std::fabs((1 - damping) / g.vertices() + damping * sum - rank[v]);
  }
  check(change < 2 * tolerance, "the ranks are not those of a fixed point");
}

class afforest {
 public:
  explicit afforest(shared_graph const& g) : g_(g), parent_(g.vertices()) {}

  std::vector<std::uint32_t> const& run() {
    std::uint32_t const n = g_.vertices();
    constexpr std::size_t sampled = 2;
#pragma omp parallel for
    for (std::uint32_t v = 0; v < n; ++v) parent_[v] = v;
    for (std::size_t k = 0; k < sampled; ++k) {
#pragma omp parallel for schedule(dynamic, 16384)
      for (std::uint32_t v = 0; v < n; ++v) {
        if (g_.degree(v) > k) unite(v, g_.row(v)[k]);
      }
      compress();
    }
    std::uint32_t const largest = frequent();
#pragma omp parallel for schedule(dynamic, 16384)
    for (std::uint32_t v = 0; v < n; ++v) {
      if (parent_[v] == largest) continue;
      for (std::size_t k = sampled; k < g_.degree(v); ++k) unite(v, g_.row(v)[k]);
    }
    compress();
    return parent_;
  }

 private:
  void unite(std::uint32_t a, std::uint32_t b) {
    std::uint32_t one = load(a), other = load(b);
    while (one != other) {
      std::uint32_t const high = std::max(one, other), low = std::min(one, other);
      std::uint32_t above = load(high);
      if (above == low || (above == high && __atomic_compare_exchange_n(&parent_[high], &above, low, false,
                                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)))
        return;
      one = load(load(high));
      other = low;
    }
  }
  void compress() {
#pragma omp parallel for schedule(dynamic, 16384)
    for (std::uint32_t v = 0; v < parent_.size(); ++v) {
      while (load(v) != load(load(v))) __atomic_store_n(&parent_[v], load(load(v)), __ATOMIC_RELAXED);
    }
  }
  [[nodiscard]] std::uint32_t frequent() const {
    splitmix64 next(27);
    std::unordered_map<std::uint32_t, int> met;
    for (int k = 0; k < 1024; ++k) ++met[parent_[next() % parent_.size()]];
    return std::max_element(met.begin(), met.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  }
  [[nodiscard]] std::uint32_t load(std::uint32_t v) const { return __atomic_load_n(&parent_[v], __ATOMIC_RELAXED); }

  shared_graph const& g_;
  std::vector<std::uint32_t> parent_;
};
/// As many components as a plain search finds, and none over an edge.
std::uint64_t count_components(shared_graph const& g, std::vector<std::uint32_t> const& name) {
  std::vector<bool> seen(g.vertices());
  std::uint64_t count = 0, names = 0;
  std::vector<std::uint32_t> stack;
  for (std::uint32_t v = 0; v < g.vertices(); ++v) {
    names += name[v] == v ? 1 : 0;
    if (seen[v]) continue;
    ++count;
    seen[v] = true;
    for (stack.assign(1, v); !stack.empty();) {
      std::uint32_t const from = stack.back();
      stack.pop_back();
      for (std::uint32_t const to : g.row(from)) {
        check(name[from] == name[to], "an edge leads to another component");
        if (!seen[to]) stack.push_back(to);
        seen[to] = true;
      }
    }
  }
  check(count == names, "the number of components is wrong");
  return count;
}

/// Edges lead to the higher degree. A row is marked in a bitmap, in which the rows of its vertices are looked up.
std::uint64_t triangles(shared_graph const& g) {
  std::uint32_t const n = g.vertices();
  auto const is_up = [&](std::uint32_t v, std::uint32_t to) {
    return g.degree(to) > g.degree(v) || (g.degree(to) == g.degree(v) && to > v);
  };
  std::vector<std::uint64_t> first(n + std::size_t{1}, 0);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint32_t v = 0; v < n; ++v) {
    for (std::uint32_t const to : g.row(v)) first[v + 1] += is_up(v, to) ? 1 : 0;
  }
  for (std::uint32_t v = 0; v < n; ++v) first[v + 1] += first[v];
  std::vector<std::uint32_t> up(first[n]);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint32_t v = 0; v < n; ++v) {
    std::uint64_t at = first[v];
    for (std::uint32_t const to : g.row(v)) {
      if (is_up(v, to)) up[at++] = to;
    }
  }
  std::uint64_t found = 0;
#pragma omp parallel reduction(+ : found)
  {
    std::vector<std::uint64_t> marks((n + 63) / 64);
#pragma omp for schedule(dynamic, 64)
    for (std::uint32_t v = 0; v < n; ++v) {
      for (std::uint64_t k = first[v]; k < std::min(first[v + 1], first[v] + 8); ++k)
        __builtin_prefetch(&up[first[up[k]]]);
      for (std::uint64_t k = first[v]; k < first[v + 1]; ++k) marks[up[k] / 64] |= std::uint64_t{1} << up[k] % 64;
      for (std::uint64_t k = first[v]; k < first[v + 1]; ++k) {
        if (k + 16 < first[v + 1]) __builtin_prefetch(&first[up[k + 16]]);
        if (k + 8 < first[v + 1]) __builtin_prefetch(&up[first[up[k + 8]]]);
        for (std::uint64_t j = first[up[k]]; j < first[up[k] + 1]; ++j) found += marks[up[j] / 64] >> up[j] % 64 & 1U;
      }
      for (std::uint64_t k = first[v]; k < first[v + 1]; ++k) marks[up[k] / 64] = 0;
    }
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  shared_graph const g = build_shared(graph_edges(args));
  std::string const kernel = args.text("--kernel", "pagerank");
  afforest sets(g);
  std::uint64_t result = 0;
  if (kernel == "cc") {
    result = count_components(g, sets.run());
  } else if (kernel == "triangles") {
    result = triangles(g);
  } else {
    check(kernel == "pagerank", "--kernel is pagerank, cc or triangles");
    check_ranks(g, page_rank(g));
  }
  auto const samples = sample(0, args.reps(5), [&](int) {
    std::int64_t const start = now_ns();
    if (kernel == "cc") {
      sets.run();
    } else if (kernel == "triangles") {
      check(triangles(g) == result, "the number of triangles changes");
    } else {
      page_rank(g);
    }
    return static_cast<double>(now_ns() - start) / 1e6;
  });
  print_result("ms", samples, ", \"result\": " + std::to_string(result));
}
