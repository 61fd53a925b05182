// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_file.hpp"

#include "graph/binary_file.hpp"
#include "graph/file_format.hpp"
#include "graph/opened_file.hpp"
#include "graph/text_file.hpp"

namespace sheaf::detail {

graph_format format_by_name(std::string_view path) {
  struct {
    std::string_view ending;
    graph_format format;
  } constexpr known[] = {{".mtx", graph_format::matrix_market},
                         {".mm", graph_format::matrix_market},
                         {".graph", graph_format::metis},
                         {".metis", graph_format::metis},
                         {".g500", graph_format::graph500},
                         {".i64", graph_format::int64_pairs},
                         {".sg", graph_format::gap},
                         {".wsg", graph_format::gap}};
  if (path.ends_with(".gz")) path.remove_suffix(3);
  for (auto const& each : known) {
    if (path.ends_with(each.ending)) return each.format;
  }
  return graph_format::automatic;
}

file_facts read_graph_file(team const& members, std::string const& path, graph_format format, edge_sink to) {
  opened_file const file(members, path);
  if (format == graph_format::automatic) format = format_by_name(path);
  bool const is_binary = format >= graph_format::graph500;
  if (is_binary && path.ends_with(".gz")) file.fail(": only texts are read compressed; decompress it first");
  if (format == graph_format::gap) return read_gap(file, to);
  if (is_binary) return read_tuples(file, format == graph_format::graph500, to);
  return read_text_file(file, format, to);
}

}  // namespace sheaf::detail
