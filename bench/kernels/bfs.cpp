// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.bfs: milliseconds of a breadth-first search, mean over 16 roots. `--form direction`, top-down or messages.
#include "kernels/graph_of.hpp"
#include "sheaf/graph/breadth_first.hpp"

using namespace sheaf_bench;

namespace {

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
    auto const samples = search_samples(
        args, edges, 5, 16, [&] { sheaf::barrier(world); },
        [&](std::uint64_t root) { sheaf::breadth_first(g, root, form); });
    for (std::uint64_t s = 0; s < 4; ++s) {
      std::string const wrong = sheaf::wrong_in(g, edges.root(s), sheaf::breadth_first(g, edges.root(s), form));
      check(wrong.empty(), wrong);
    }
    if (world.rank() == 0) print_result("ms", samples);
  });
}
