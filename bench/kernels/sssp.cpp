// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.sssp: milliseconds to find shortest paths, mean over 8 roots. `--form delta` or messages; `--delta` is the
/// width of a bucket, the library's choice where it is 0.
#include "kernels/graph_of.hpp"
#include "sheaf/graph/shortest_paths.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    graph_edges const edges(args);
    auto const g = graph_of<std::uint32_t>(world, edges);
    std::string const form = args.text("--form", "delta");
    check(form == "delta" || form == "messages", "--form is delta or messages");
    sheaf::paths_options const how{
        .delta = static_cast<double>(args.number("--delta", 0)),
        .form = form == "delta" ? sheaf::paths_form::delta_stepping : sheaf::paths_form::messages};
    auto const samples = search_samples(
        args, edges, 3, 8, [&] { sheaf::barrier(world); },
        [&](std::uint64_t root) { sheaf::shortest_paths(g, root, how); });
    for (std::uint64_t s = 0; s < 2; ++s) {
      std::string const wrong = sheaf::wrong_in(g, edges.root(s), sheaf::shortest_paths(g, edges.root(s), how));
      check(wrong.empty(), wrong);
    }
    if (world.rank() == 0) print_result("ms", samples);
  });
}
