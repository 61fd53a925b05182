// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/command_error.hpp"
#include "sheaf/graph/generators.hpp"
#include "sheaf/graph/graph_actions.hpp"
#include "sheaf/graph/write_edges.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

/// This member's part. A mesh has about as many cells as the scale says.
std::vector<edge<>> edges_of(team const& world, graph_request const& asked) {
  std::uint64_t const n = std::uint64_t{1} << asked.scale;
  std::uint64_t const half = std::uint64_t{1} << (asked.scale + 1) / 2;
  std::uint64_t const third = std::uint64_t{1} << (asked.scale + 2) / 3;
  if (asked.kind == "kron") return kronecker(world, asked.scale, asked.degree, asked.seed);
  if (asked.kind == "random") return erdos_renyi(world, n, n * asked.degree, asked.seed);
  if (asked.kind == "small-world") return small_world(world, n, asked.degree, 0.1, asked.seed);
  if (asked.kind == "mesh2d") return mesh_2d(world, half, n / half);
  if (asked.kind == "mesh3d") return mesh_3d(world, third, third, n / third / third);
  return transport_sweep(world, {.nx = third, .ny = third, .nz = n / third / third, .amount = 0.6, .seed = asked.seed});
}

}  // namespace

void generate_graph(graph_job& job) {
  job.phase("generating");
  edge_file<> const made{edges_of(job.world(), job.asked()), true, {}};
  job.phase("writing");
  write_edges(job.world(), job.asked().output, made);
  std::uint64_t const count = made.edges.size();
  std::uint64_t const all = all_reduce(job.world(), count, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  job.tell("Graph", {{"file", job.asked().output}, {"kind", job.asked().kind}, {"edges", all}});
}

}  // namespace sheaf::tool
