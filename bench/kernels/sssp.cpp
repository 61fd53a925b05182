// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.sssp: milliseconds of shortest paths, mean over 16 roots; weights 1…255. `--form delta` or messages,
/// `--delta`.
#include "kernels/graph_of.hpp"
#include "sheaf/graph/shortest_paths.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    graph_edges const edges(args);
    auto const g = graph_of<std::uint32_t>(world, edges);
    sheaf::paths_options how;
    if (args.text("--form", "delta") == "messages") how.form = sheaf::paths_form::messages;
    if (auto const delta = args.number("--delta", 0); delta != 0) how.delta = static_cast<double>(delta);
    auto const samples = search_samples(args, edges, [&](std::uint64_t root) { sheaf::shortest_paths(g, root, how); });
    for (std::uint64_t s = 0; s < 2; ++s) {
      std::string const wrong = sheaf::wrong_in(g, edges.root(s), sheaf::shortest_paths(g, edges.root(s), how));
      check(wrong.empty(), wrong);
    }
    if (world.rank() == 0) print_result("ms", samples);
  });
}
