// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.pagerank, graph.cc, graph.triangles: milliseconds of one run of `--kernel pagerank`, cc or triangles.
#include "kernels/graph_of.hpp"
#include "sheaf/graph/connected_components.hpp"
#include "sheaf/graph/page_rank.hpp"
#include "sheaf/graph/triangles.hpp"

using namespace sheaf_bench;

namespace {

/// Runs the kernel; gives what the peer must find, too.
std::uint64_t run(sheaf::graph<> const& g, std::string const& kernel, bool verify) {
  if (kernel == "triangles") return sheaf::count_triangles(g);
  std::string wrong;
  std::uint64_t result = 0;
  if (kernel == "cc") {
    sheaf::components const all = sheaf::connected_components(g);
    result = all.count;
    if (verify) wrong = sheaf::wrong_in(g, all);
  } else {
    check(kernel == "pagerank", "--kernel is pagerank, cc or triangles");
    sheaf::page_ranks const all = sheaf::page_rank(g);
    if (verify) wrong = sheaf::wrong_in(g, all);
  }
  check(wrong.empty(), wrong);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    auto const g = graph_of(world, graph_edges(args));
    std::string const kernel = args.text("--kernel", "pagerank");
    std::uint64_t const result = run(g, kernel, true);
    auto const samples = sample(0, args.reps(5), [&](int) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      run(g, kernel, false);
      return static_cast<double>(now_ns() - start) / 1e6;
    });
    if (world.rank() == 0) print_result("ms", samples, ", \"result\": " + std::to_string(result));
  });
}
