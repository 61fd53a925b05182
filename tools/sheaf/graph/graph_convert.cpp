// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <optional>
#include <utility>

#include "sheaf/graph/file_edges.hpp"
#include "sheaf/graph/graph_actions.hpp"
#include "sheaf/graph/write_edges.hpp"

namespace sheaf::tool {

namespace {

/// Nothing where a value is no integer, or anything else is wrong.
std::optional<edge_file<std::int64_t>> integral_edges(graph_job& job) {
  try {
    return read_edges<std::int64_t>(job.world(), job.asked().file, job.asked().format);
  } catch (graph_file_error const&) {
    return {};
  }
}

/// In the form that the output's name says; with values, if they differ from 1. `kind`: of the values.
template <class E>
void write_converted(graph_job& job, edge_file<E> all, char const* kind) {
  graph_request const& asked = job.asked();
  all.directed = asked.directed.value_or(all.directed);
  bool const are_there = have_values(job.world(), all.edges);
  bool const are_kept = are_there && keeps_values(asked.output);
  report::row row{{"file", asked.file},
                  {"edges", count_of(job.world(), all.edges)},
                  {"values", are_kept    ? kind
                             : are_there ? "not kept: the form has none"
                                         : "none"},
                  {"written to", asked.output}};
  add_direction(row, asked.output, all.directed);
  job.phase("writing");
  if (are_kept) {
    write_edges(job.world(), asked.output, all);
  } else {
    write_edges(job.world(), asked.output, edge_file<>{without_values(all.edges), all.directed, all.vertices});
  }
  job.tell("Graph", row);
}

}  // namespace

void convert_graph(graph_job& job) {
  job.phase("reading");
  if (auto found = integral_edges(job)) return write_converted(job, *std::move(found), "integers");
  auto found = read_edges<double>(job.world(), job.asked().file, job.asked().format);
  write_converted(job, std::move(found), "floating-point");
}

}  // namespace sheaf::tool
