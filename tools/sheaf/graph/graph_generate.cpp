// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/file_edges.hpp"
#include "sheaf/graph/generators.hpp"
#include "sheaf/graph/graph_actions.hpp"
#include "sheaf/graph/graph_memory.hpp"
#include "sheaf/graph/write_edges.hpp"

namespace sheaf::tool {

namespace {

/// What `generate` makes. A mesh has as many cells as the scale says.
struct kind_of_graph {
  std::uint64_t n, half, third;

  explicit kind_of_graph(unsigned scale)
      : n(std::uint64_t{1} << scale),
        half(std::uint64_t{1} << (scale + 1) / 2),
        third(std::uint64_t{1} << (scale == 1 ? 0 : (scale + 2) / 3)) {}

  [[nodiscard]] std::uint64_t height() const { return n / third / third; }
  [[nodiscard]] static bool is_directed(std::string const& kind) { return kind == "random" || kind == "sweep"; }

  /// Of all members, about.
  [[nodiscard]] double edges(graph_request const& asked) const {
    double const vertices = static_cast<double>(n), degree = asked.degree;
    if (asked.kind == "kron" || asked.kind == "random") return vertices * degree;
    if (asked.kind == "small-world") return vertices * degree / 2;
    return vertices * (asked.kind == "mesh2d" ? 2 : 3);
  }

  /// This member's part.
  [[nodiscard]] std::vector<edge<>> made(team const& world, graph_request const& asked) const {
    if (asked.kind == "kron") return kronecker(world, asked.scale, asked.degree, asked.seed);
    if (asked.kind == "random") return erdos_renyi(world, n, n * asked.degree, asked.seed);
    if (asked.kind == "small-world") return small_world(world, n, asked.degree, 0.1, asked.seed);
    if (asked.kind == "mesh2d") return mesh_2d(world, half, n / half);
    if (asked.kind == "mesh3d") return mesh_3d(world, third, third, height());
    return transport_sweep(world, {.nx = third, .ny = third, .nz = height(), .amount = 0.6, .seed = asked.seed});
  }
};

}  // namespace

void generate_graph(graph_job& job) {
  graph_request const& asked = job.asked();
  kind_of_graph const what(asked.scale);
  check_memory_of_edges(job.world(), asked, what.edges(asked));
  job.phase("generating");
  edge_file<> const made{what.made(job.world(), asked), kind_of_graph::is_directed(asked.kind), what.n};
  job.phase("writing");
  write_edges(job.world(), asked.output, made);
  report::row all{{"file", asked.output}, {"kind", asked.kind}, {"edges", count_of(job.world(), made.edges)}};
  add_direction(all, asked.output, made.directed);
  job.tell("Graph", all);
}

}  // namespace sheaf::tool
