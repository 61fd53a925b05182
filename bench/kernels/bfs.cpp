// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.bfs: milliseconds of a breadth-first search, mean over 16 roots. `--form direction`, top-down or messages.
#include "harness/graph_edges.hpp"
#include "sheaf/graph/breadth_first.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

sheaf::graph<> graph_of(sheaf::team const& world, graph_edges const& edges) {
  std::vector<sheaf::edge<>> mine;
  for (std::uint64_t i = world.rank(); i < edges.count(); i += world.size())
    mine.push_back({edges[i].first, edges[i].second});
  return sheaf::build_graph(world, std::move(mine), {.directed = false, .vertices = edges.vertices()});
}

sheaf::bfs_form form_of(std::string const& name) {
  if (name == "messages") return sheaf::bfs_form::messages;
  return name == "top-down" ? sheaf::bfs_form::top_down : sheaf::bfs_form::direction_optimizing;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    graph_edges const edges(args);
    auto const g = graph_of(world, edges);
    sheaf::bfs_form const form = form_of(args.text("--form", "direction"));
    constexpr std::uint64_t searches = 16;
    auto const samples = sample(1, args.reps(5), [&](int) {
      sheaf::barrier(world);
      double sum = 0;
      for (std::uint64_t s = 0; s < searches; ++s) {
        std::int64_t const start = now_ns();
        sheaf::bfs_tree const tree = sheaf::breadth_first(g, edges.root(s), form);
        sum += static_cast<double>(now_ns() - start) / 1e6;
      }
      return sum / searches;
    });
    for (std::uint64_t s = 0; s < 4; ++s) {
      std::string const wrong = sheaf::wrong_in(g, edges.root(s), sheaf::breadth_first(g, edges.root(s), form));
      check(wrong.empty(), wrong);
    }
    if (world.rank() == 0) print_result("ms", samples);
  });
}
