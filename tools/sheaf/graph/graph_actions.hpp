// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <span>
#include <string>

#include "sheaf/command_error.hpp"
#include "sheaf/graph/graph_job.hpp"

namespace sheaf::tool {

/// What `sheaf graph` can do: a name, a sentence for --help, and what every location calls.
struct graph_action {
  char const* name;
  char const* about;
  void (*run)(graph_job& job);
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
