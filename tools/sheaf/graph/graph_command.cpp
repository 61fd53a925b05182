// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_command.hpp"

#include <charconv>
#include <cstdio>
#include <map>
#include <string_view>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/command_error.hpp"
#include "sheaf/progress.hpp"
#include "sheaf/runtime/run.hpp"
#include "sheaf/runtime/settings.hpp"

namespace sheaf::tool {

namespace {

std::map<std::string, vertex_distribution> const distributions = {{"block", vertex_distribution::block},
                                                                  {"cyclic", vertex_distribution::cyclic},
                                                                  {"hash", vertex_distribution::hash},
                                                                  {"degree", vertex_distribution::degree}};
std::map<std::string, graph_format> const formats = {{"automatic", graph_format::automatic},
                                                     {"matrix_market", graph_format::matrix_market},
                                                     {"edge_list", graph_format::edge_list},
                                                     {"metis", graph_format::metis},
                                                     {"graph500", graph_format::graph500},
                                                     {"int64_pairs", graph_format::int64_pairs},
                                                     {"gap", graph_format::gap}};
std::map<std::string, values_format> const output_forms = {
    {"tsv", values_format::tsv}, {"mtx", values_format::matrix_market}, {"npy", values_format::numpy}};

/// CLI11 takes -1 for the largest number.
CLI::Validator any_64_bits() {
  auto const wrong = [](std::string& text) {
    std::uint64_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size()) return std::string();
    return "expected 0 to 18446744073709551615, found '" + text + "'";
  };
  return CLI::Validator(wrong, "0 to 2^64-1", "");
}

CLI::Validator name_of_file() {
  return CLI::Validator([](std::string& text) { return text.empty() ? "the name is empty" : ""; }, "", "");
}

}  // namespace

graph_command::graph_command(CLI::App& app)
    : command(app.add_subcommand("graph", "Algorithms on the graph of a file, on all cores or under mpirun")) {
  options_->require_subcommand(0, 1);
  for (graph_action const& each : graph_actions()) {
    CLI::App& action = *options_->add_subcommand(each.name, each.about);
    if ((each.takes & takes_kind) != 0) add_kind(action);
    if ((each.takes & takes_file) != 0) add_file(action, each);
    if ((each.takes & takes_target) != 0) add_target(action);
    if ((each.takes & takes_result) != 0) add_run(action, each);
    if ((each.takes & takes_output) != 0) add_output(action, each);
    add_choices(action, each);
    action.add_flag("--json", asked_.json, "for programs");
    action.add_flag("-q,--quiet", quiet_, "no progress on the terminal");
  }
  options_->allow_extras();  // so that check_action() can name what is no action; actions added before allow none
  options_->footer(
      "Runs one thread per core; SHEAF_LOCATIONS=2 sheaf graph ... takes two. As processes:\n"
      "mpirun -n 4 sheaf graph ...");
}

void graph_command::add_kind(CLI::App& action) {
  action.add_option("KIND", asked_.kind, "kron (Graph500's), random, small-world, mesh2d, mesh3d or sweep")
      ->check(CLI::IsMember({"kron", "random", "small-world", "mesh2d", "mesh3d", "sweep"}))
      ->required();
  action.add_option("--scale", asked_.scale, "2^SCALE vertices")->check(CLI::Range(1, 40))->capture_default_str();
  action.add_option("--degree", asked_.degree, "edges for each vertex, but for meshes")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
}

void graph_command::add_file(CLI::App& action, graph_action const& what) {
  action.add_option("FILE", asked_.file, "the graph")->required()->check(name_of_file());
  action.add_option("--format", format_, "of FILE")->check(CLI::IsMember(formats))->capture_default_str();
  auto* const undirected = action.add_flag("--undirected", undirected_, "whatever the file says");
  if ((what.takes & takes_directed) != 0)
    action.add_flag("--directed", directed_, "whatever the file says")->excludes(undirected);
  if ((what.takes & takes_graph) == 0) return;
  action.add_option("--distribution", distribution_, "which location owns which vertex; hash and degree for any ids")
      ->check(CLI::IsMember(distributions))
      ->capture_default_str();
  action.add_option("--plot", asked_.plot, "a picture of the histograms, .svg or .png");
}

void graph_command::add_target(CLI::App& action) {
  action
      .add_option("OUTPUT", asked_.output,
                  "the file to write: an edge list, or as its name says (.mtx, .g500, .sg ...)")
      ->required()
      ->check(name_of_file());
}

void graph_command::add_run(CLI::App& action, graph_action const& what) {
  if (what.forms[0] != nullptr) {
    std::vector<std::string> names;
    for (char const* const each : what.forms) {
      if (each != nullptr) names.emplace_back(each);
    }
    action.add_option("--form", asked_.form, "of the algorithm, see docs/guide/graphs.md")->check(CLI::IsMember(names));
  }
  action.add_option("--repeat", asked_.repetitions, "so often; the time is the median")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  action.add_flag("--verify", asked_.verify,
                  "check the result by an independent way; triangles: count them again, "
                  "with vertices at other locations");
}

void graph_command::add_output(CLI::App& action, graph_action const& what) {
  bool const has_values = (what.takes & takes_values) != 0;
  action.add_option("-o,--output", asked_.output,
                    has_values ? "a file for the result of each vertex" : "a file for the edges of the result");
  if (!has_values) return;
  action.add_option("--as", output_form_, "form of that file")
      ->check(CLI::IsMember(output_forms))
      ->capture_default_str();
}

void graph_command::add_choices(CLI::App& action, graph_action const& what) {
  if ((what.takes & takes_names) != 0)
    action.add_option("--names", asked_.names, "a file whose line k, from 0, is the name of vertex k");
  if ((what.takes & takes_root) != 0) {
    action.add_option("--root", asked_.root, "id of the vertex to begin with; none: the one with most edges")
        ->check(any_64_bits());
    action.add_option("--searches", asked_.searches, "also from so many vertices, for TEPS; Graph500 has 64")
        ->check(CLI::Range(1, 1 << 20));
  }
  if ((what.takes & takes_sources) != 0)
    action.add_option("--sources", asked_.sources, "from so many vertices, chosen at random")
        ->check(CLI::Range(1, 1 << 30))
        ->capture_default_str();
  if ((what.takes & takes_seed) != 0)
    action.add_option("--seed", asked_.seed, "of what is random")->check(any_64_bits())->capture_default_str();
}

/// Throws command_error unless the command line names one.
void graph_command::check_action() const {
  auto const unknown = options_->remaining();
  if (unknown.empty() && !options_->get_subcommands().empty()) return;
  std::string names;
  for (graph_action const& each : graph_actions()) names.append(names.empty() ? "" : ", ").append(each.name);
  std::string const what = unknown.empty() ? "an action is missing" : "'" + unknown.front() + "' is no action";
  throw command_error(what + "; there is " + names + ". Run with --help for more information.");
}

graph_request graph_command::request() const {
  graph_request all = asked_;
  if (directed_ || undirected_) all.directed = directed_;
  all.distribution = distributions.at(distribution_);
  all.format = formats.at(format_);
  all.output_format = output_forms.at(output_form_);
  all.progress = !quiet_ && progress::on_terminal();
  return all;
}

int graph_command::run() {
  graph_request const asked = request();
  try {
    check_action();
    std::string const name = options_->get_subcommands().front()->get_name();
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
