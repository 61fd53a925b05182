// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.explore (AM++ §4.2): millions of edges per second of an exploration along directed edges, `--cycle 1` always.
/// `--form nested` or queue.
#include "kernels/graph_of.hpp"
#include "sheaf/graph/exploration.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    graph_edges const edges(args);
    auto const g = sheaf::build_graph(world, edges_of(world, edges), {.vertices = edges.vertices()});
    auto const form =
        args.text("--form", "nested") == "queue" ? sheaf::exploration_form::queue : sheaf::exploration_form::nested;
    auto const samples = sample(1, args.reps(5), [&](int) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      auto const found = sheaf::explore(g, 0, form);
      double const us = static_cast<double>(now_ns() - start) / 1e3;
      check(found.vertices == g.vertices(), "some vertices are explored not once");
      return static_cast<double>(g.edges()) / us;
    });
    if (world.rank() == 0) print_result("M/s", samples, ", \"result\": " + std::to_string(g.edges()));
  });
}
