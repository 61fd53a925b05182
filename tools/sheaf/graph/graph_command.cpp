// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_command.hpp"

#include <cstdio>
#include <map>
#include <string_view>

#include "sheaf/base/error.hpp"
#include "sheaf/progress.hpp"
#include "sheaf/runtime/run.hpp"
#include "sheaf/runtime/settings.hpp"

namespace sheaf::tool {

namespace {

std::map<std::string, vertex_distribution> const distributions = {{"block", vertex_distribution::block},
                                                                  {"cyclic", vertex_distribution::cyclic},
                                                                  {"hash", vertex_distribution::hash},
                                                                  {"degree", vertex_distribution::degree}};

}  // namespace

graph_command::graph_command(CLI::App& app)
    : command(app.add_subcommand("graph", "Algorithms on the graph of a file, on all cores or under mpirun")) {
  options_->require_subcommand(1);
  for (graph_action const& each : graph_actions()) {
    CLI::App& action = *options_->add_subcommand(each.name, each.about);
    std::string_view const name = each.name;
    if (name == "generate") {
      add_generator_options(action);
    } else if (name == "convert") {
      add_conversion_options(action);
    } else {
      add_options(action);
    }
  }
  options_->footer(
      "Runs one thread per core; SHEAF_LOCATIONS=2 sheaf graph ... takes two. As processes:\n"
      "mpirun -n 4 sheaf graph ...");
}

void graph_command::add_file_options(CLI::App& action) {
  action.add_option("FILE", asked_.file, "the graph")->required();
  action.add_option("--format", asked_.format, "of FILE")
      ->check(CLI::IsMember({"automatic", "matrix_market", "edge_list", "metis", "graph500", "int64_pairs", "gap"}))
      ->capture_default_str();
  auto* const directed = action.add_flag("--directed", directed_, "whatever the file says");
  action.add_flag("--undirected", undirected_, "whatever the file says")->excludes(directed);
}

void graph_command::add_conversion_options(CLI::App& action) {
  add_file_options(action);
  action
      .add_option("OUTPUT", asked_.output,
                  "the file to write: an edge list, or as its name says (.mtx, .g500, .sg ...)")
      ->required();
  action.add_flag("--json", asked_.json, "for programs");
  action.add_flag("-q,--quiet", quiet_, "no progress on the terminal");
}

void graph_command::add_options(CLI::App& action) {
  add_file_options(action);
  action.add_option("--distribution", distribution_, "which location owns which vertex; hash and degree for any ids")
      ->check(CLI::IsMember({"block", "cyclic", "hash", "degree"}))
      ->capture_default_str();
  action.add_option("--root", asked_.root, "id of the vertex to begin with; none: the one with most edges");
  action.add_option("--form", asked_.form, "of the algorithm, see docs/guide/graphs.md");
  action.add_option("-o,--output", asked_.output, "a file for the result of each vertex");
  action.add_option("--as", asked_.output_format, "form of that file")
      ->check(CLI::IsMember({"tsv", "mtx", "npy"}))
      ->capture_default_str();
  action.add_option("--names", asked_.names, "a file whose line k, from 0, is the name of vertex k");
  action.add_option("--plot", asked_.plot, "a picture of the histograms, .svg or .png");
  action.add_option("--repeat", asked_.repetitions, "so often; the time is the median")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  action.add_option("--sources", asked_.sources, "bc: from so many vertices, chosen at random")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  action.add_option("--searches", asked_.searches, "bfs, sssp: also from so many vertices, for TEPS; Graph500 has 64")
      ->check(CLI::Range(1, 1 << 20));
  action.add_option("--seed", asked_.seed, "bc, bfs, color, sssp: what is random")->capture_default_str();
  action.add_flag("--verify", asked_.verify,
                  "check the result by an independent way; triangles: count them again, "
                  "with vertices at other locations");
  action.add_flag("--json", asked_.json, "for programs");
  action.add_flag("-q,--quiet", quiet_, "no progress on the terminal");
}

void graph_command::add_generator_options(CLI::App& action) {
  action.add_option("KIND", asked_.kind, "kron (Graph500's), random, small-world, mesh2d, mesh3d or sweep")
      ->check(CLI::IsMember({"kron", "random", "small-world", "mesh2d", "mesh3d", "sweep"}))
      ->required();
  action.add_option("FILE", asked_.file, "to write: an edge list, or as the name says (.mtx, .g500, .sg ...)")
      ->required();
  action.add_option("--scale", asked_.scale, "2^SCALE vertices")->check(CLI::Range(1, 40))->capture_default_str();
  action.add_option("--degree", asked_.degree, "edges for each vertex, but for meshes")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  action.add_option("--seed", asked_.seed, "another graph for another seed")->capture_default_str();
  action.add_flag("--json", asked_.json, "for programs");
  action.add_flag("-q,--quiet", quiet_, "no progress on the terminal");
}

graph_request graph_command::request() const {
  graph_request all = asked_;
  if (directed_ || undirected_) all.directed = directed_;
  all.distribution = distributions.at(distribution_);
  all.progress = !quiet_ && progress::on_terminal();
  return all;
}

int graph_command::run() {
  graph_request const asked = request();
  std::string const name = options_->get_subcommands().front()->get_name();
  try {
    if (!asked.plot.empty()) check_drawable(asked.plot);
    sheaf::run(detail::settings_of_main(), [&](team const& world) {
      for (graph_action const& each : graph_actions()) {
        if (name != each.name) continue;
        graph_job job(world, asked);
        each.run(job);
        job.finish();
      }
    });
    return 0;
  } catch (std::exception const& failure) {
    std::string_view const text = without_prefix(failure.what());
    std::fprintf(stderr, "sheaf graph: %.*s\n", static_cast<int>(text.size()), text.data());
    return 2;
  }
}

}  // namespace sheaf::tool
