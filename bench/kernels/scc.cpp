// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.scc: milliseconds of strongly connected components, and as "peer" those of Tarjan's algorithm by one thread.
/// `--graph kron` (edges as they come), or sweep: 10^6 cells, faces askew by `--percent` of their normals.
#include <algorithm>

#include "harness/graph_edges.hpp"
#include "sheaf/graph/generators.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/strong_components.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

using edges_of = std::vector<sheaf::edge<>>;

edges_of make_edges(sheaf::team const& world, arguments const& args, std::uint64_t& vertices) {
  if (args.text("--graph", "kron") == "sweep") {
    sheaf::sweep_mesh const mesh{
        .nx = 100, .ny = 100, .nz = 100, .amount = static_cast<double>(args.number("--percent", 30)) / 100};
    vertices = mesh.vertices();
    return sheaf::transport_sweep(world, mesh);
  }
  graph_edges const all(args);
  vertices = all.vertices();
  edges_of mine;
  for (std::uint64_t i = world.rank(); i < all.count(); i += world.size())
    mine.push_back({all[i].first, all[i].second});
  return mine;
}

/// Tarjan's algorithm (SIAM J. Computing 1972) without recursion, and with one array (Pearce 2016).
class tarjan {
 public:
  explicit tarjan(sheaf::adjacency const& rows) : rows_(rows) {}

  /// The number of components.
  std::uint32_t run() {
    auto const n = static_cast<std::uint32_t>(rows_.first.size() - 1);
    index_.assign(n, 0);
    next_ = 1;
    component_ = n - 1;
    for (std::uint32_t v = 0; v < n; ++v) {
      if (index_[v] == 0) visit(v);
    }
    return n - 1 - component_;
  }

 private:
  struct frame {
    std::uint32_t vertex, index;
    std::uint64_t at;
  };

  void visit(std::uint32_t start) {
    enter(start);
    while (!frames_.empty()) {
      frame& top = frames_.back();
      std::uint32_t const v = top.vertex;
      if (top.at == rows_.first[v + 1]) {
        leave();
        continue;
      }
      std::uint32_t const to = rows_.targets[top.at];
      if (index_[to] == 0) {
        enter(to);  // top.at stays: the target is looked at again, with what it found
        continue;
      }
      ++top.at;
      index_[v] = std::min(index_[v], index_[to]);
    }
  }
  void enter(std::uint32_t v) {
    frames_.push_back({v, next_, rows_.first[v]});
    index_[v] = next_++;
  }
  /// What belongs to a component that is done has an index above all others.
  void leave() {
    frame const top = frames_.back();
    frames_.pop_back();
    if (index_[top.vertex] != top.index) return stack_.push_back(top.vertex);
    while (!stack_.empty() && index_[stack_.back()] >= top.index) {
      index_[stack_.back()] = done - component_;
      stack_.pop_back();
      --next_;
    }
    index_[top.vertex] = done - component_--;
    --next_;
  }

  static constexpr std::uint32_t done = ~std::uint32_t{0};

  sheaf::adjacency const& rows_;
  std::vector<std::uint32_t> index_, stack_;
  std::vector<frame> frames_;
  std::uint32_t next_ = 1, component_ = 0;
};

/// The whole graph at one member: rows sorted, without loops and parallel edges, as Sheaf's.
sheaf::adjacency whole(std::vector<edges_of> const& parts, std::uint64_t vertices) {
  sheaf::adjacency all;
  all.first.assign(vertices + 1, 0);
  auto const each = [&](auto use) {
    for (edges_of const& part : parts) {
      for (sheaf::edge<> const& one : part) {
        if (one.source != one.target) use(one);
      }
    }
  };
  each([&](sheaf::edge<> const& one) { ++all.first[one.source + 1]; });
  for (std::uint64_t v = 0; v < vertices; ++v) all.first[v + 1] += all.first[v];
  all.targets.resize(all.first.back());
  std::vector<std::uint64_t> next = all.first;
  each([&](sheaf::edge<> const& one) { all.targets[next[one.source]++] = static_cast<sheaf::vertex>(one.target); });
  std::uint64_t end = 0;
  for (std::uint64_t v = 0, k = 0; v < vertices; ++v) {
    std::uint64_t const behind = all.first[v + 1], first = end;
    std::sort(all.targets.data() + k, all.targets.data() + behind);
    for (; k < behind; ++k) {
      if (end == first || all.targets[end - 1] != all.targets[k]) all.targets[end++] = all.targets[k];
    }
    all.first[v + 1] = end;
  }
  all.targets.resize(all.first.back());
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    std::uint64_t vertices = 0;
    edges_of mine = make_edges(world, args, vertices);
    auto const parts = sheaf::all_gather(world, mine);
    auto const g = sheaf::build_graph(world, std::move(mine), {.in_edges = true, .vertices = vertices});
    sheaf::adjacency const rows = world.rank() == 0 ? whole(parts, vertices) : sheaf::adjacency{};
    tarjan one(rows);
    std::vector<double> peer;
    auto const samples = sample(1, args.reps(5), [&](int) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      std::uint64_t const count = sheaf::strong_components(g).count;
      std::int64_t const end = now_ns();
      if (world.rank() == 0) {
        check(one.run() == count, "the numbers of components differ");
        peer.push_back(static_cast<double>(now_ns() - end) / 1e6);
      }
      return static_cast<double>(end - start) / 1e6;
    });
    if (world.rank() == 0) print_result("ms", samples, ", \"peer\": " + std::to_string(median(peer)));
  });
}
