// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.build, graph.load: milliseconds from edges in memory to an undirected graph, or from a text (`--file`).
#include "kernels/graph_of.hpp"
#include "sheaf/graph/graph_file.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    std::string const file = args.text("--file", "");
    std::vector<sheaf::edge<>> const mine =
        file.empty() ? edges_of(world, graph_edges(args)) : std::vector<sheaf::edge<>>{};
    std::uint64_t result = 0;
    auto const samples = sample(file.empty() ? 1 : 0, args.reps(3), [&](int) {
      auto edges = mine;
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      if (!file.empty()) edges = sheaf::read_edges<>(world, file).edges;
      auto const g = sheaf::build_graph(world, std::move(edges), {.directed = false});
      result = g.edges();
      sheaf::barrier(world);
      return static_cast<double>(now_ns() - start) / 1e6;
    });
    if (world.rank() == 0) print_result("ms", samples, ", \"result\": " + std::to_string(result));
  });
}
