// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <span>
#include <string>

#include "sheaf/command_error.hpp"
#include "sheaf/graph/graph_job.hpp"

namespace sheaf::tool {

/// What an action takes beyond --json and --quiet; bits.
enum graph_takes : unsigned {
  takes_kind = 1U << 0U,    ///< no file to read, but what to generate
  takes_file = 1U << 1U,    ///< and its form, and --undirected
  takes_target = 1U << 2U,  ///< a file to write, by its place
  takes_directed = 1U << 3U,
  takes_graph = 1U << 4U,   ///< a graph is built, whose histograms can be drawn
  takes_result = 1U << 5U,  ///< there is one to verify, again and again
  takes_output = 1U << 6U,
  takes_values = 1U << 7U,  ///< the output has one for each vertex, and forms
  takes_names = 1U << 8U,
  takes_root = 1U << 9U,  ///< or many of them
  takes_sources = 1U << 10U,
  takes_seed = 1U << 11U,
};

/// What `sheaf graph` can do: a name, a sentence for --help, what every location calls, what it takes (graph_takes),
/// and the forms of the algorithm, the usual one first.
struct graph_action {
  char const* name;
  char const* about;
  void (*run)(graph_job& job);
  unsigned takes;
  std::array<char const*, 3> forms{};
};

std::span<graph_action const> graph_actions();

/// With --verify: a row that says so, or command_error with what is wrong, which `wrong()` gives.
template <class F>
void verify(graph_job& job, report::row& all, F wrong) {
  if (!job.asked().verify) return;
  job.phase("verifying");
  if (std::string const text = wrong(); !text.empty()) throw command_error("the result is wrong: " + text);
  all.emplace_back("verified", "yes");
}

void search_graph(graph_job& job);
void describe_graph(graph_job& job);
void convert_graph(graph_job& job);
void connect_graph(graph_job& job);
void connect_graph_strongly(graph_job& job);
void rank_graph(graph_job& job);
void count_graph_triangles(graph_job& job);
void measure_graph(graph_job& job);
void generate_graph(graph_job& job);
void peel_graph(graph_job& job);
void rank_graph_between(graph_job& job);
void span_graph(graph_job& job);
void colour_graph(graph_job& job);
void chain_graph(graph_job& job);

}  // namespace sheaf::tool
