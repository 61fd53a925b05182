// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_memory.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/machine.hpp"
#include "sheaf/command_error.hpp"

namespace sheaf::tool {

namespace {

constexpr double bytes_of_edge = 16;      // in a list
constexpr double bytes_while_built = 60;  // for each edge, its place in the list among them
constexpr double bytes_of_vertex = 24;    // while a graph is built

/// This host's part of the job's processes; 1 where no launcher says so.
double share_of_host() {
  unsigned const here = sheaf::detail::processes_here(), all = sheaf::detail::processes();
  return here == 0 || all == 0 ? 1 : static_cast<double>(here) / all;
}

/// Says how much memory something of the whole job takes here and how much there is; nothing where that is enough.
std::string lacking(double bytes) {
  double const share = share_of_host(), here = bytes * share;
  std::uint64_t const available = sheaf::detail::available_memory();
  if (here <= static_cast<double>(available)) return {};
  std::string const needed =
      here < 0x1p64 ? "about " + sheaf::detail::in_bytes(static_cast<std::uint64_t>(here)) : "more than 2^64 bytes";
  return "takes " + needed + " of memory" + (share < 1 ? " on this host, its share" : "") + ", but " +
         sheaf::detail::in_bytes(available) + " are available";
}

/// Collective. What one member finds is thrown on all.
void throw_together(team const& members, std::string const& own) {
  std::string const text =
      all_reduce(members, own, [](std::string const& a, std::string const& b) { return a.empty() ? b : a; });
  if (!text.empty()) throw command_error(text);
}

/// By the file's size; texts have an id of some 6 digits. Files of METIS and GAP have each edge twice.
double edges_in(graph_request const& asked, double bytes) {
  bool const is_named = asked.format == graph_format::automatic;
  switch (is_named ? sheaf::detail::format_by_name(asked.file) : asked.format) {
    case graph_format::graph500:
      return bytes / 12;
    case graph_format::int64_pairs:
      return bytes / 16;
    case graph_format::gap:
      return bytes / (asked.file.ends_with(".wsg") ? 16 : 8);
    case graph_format::metis:
      return bytes / 14;
    default:
      return bytes / 12;
  }
}

std::string about_edges(double edges) {
  return edges < 0x1p64 ? "about " + std::to_string(static_cast<std::uint64_t>(edges)) + " edges"
                        : "more than 2^64 edges";
}

std::string wrong_with_file(graph_request const& asked) {
  struct stat its {};
  if (::stat(asked.file.c_str(), &its) != 0) return "cannot open " + asked.file + ": " + std::strerror(errno);
  double const text = static_cast<double>(its.st_size) * (asked.file.ends_with(".gz") ? 8 : 1);
  double const edges = edges_in(asked, text);
  std::string const wrong = lacking(bytes_while_built * edges);
  if (wrong.empty()) return {};
  return asked.file + " has " + about_edges(edges) + ", whose graph " + wrong + ": run on more hosts";
}

/// The edges are in memory already.
std::string wrong_with_graph(graph_request const& asked, graph_extent const& extent) {
  double const edges = (bytes_while_built - bytes_of_edge) * static_cast<double>(extent.edges);
  bool const any_id =
      asked.distribution == vertex_distribution::hash || asked.distribution == vertex_distribution::degree;
  double const by_edges = extent.edges == 0 ? 0 : static_cast<double>(extent.largest) + 1;
  double const n = extent.vertices ? static_cast<double>(*extent.vertices) : by_edges;
  double const ids = any_id ? 0 : bytes_of_vertex * n;
  std::string const wrong = lacking(edges + ids);
  if (wrong.empty()) return {};
  if (ids <= edges)
    return asked.file + " has " + std::to_string(extent.edges) + " edges, whose graph " + wrong + ": run on more hosts";
  std::string const ids_of =
      extent.vertices ? " has " + std::to_string(*extent.vertices) + " vertices, and numbering all of them "
                      : " names vertex " + std::to_string(extent.largest) + ", and numbering all ids up to it ";
  return asked.file + ids_of + wrong + ": use --distribution hash";
}

}  // namespace

void check_memory_of_file(team const& members, graph_request const& asked) {
  throw_together(members, wrong_with_file(asked));
}

void check_memory_of_graph(team const& members, graph_request const& asked, graph_extent const& extent) {
  throw_together(members, wrong_with_graph(asked, extent));
}

/// Some forms of files are written from a graph.
void check_memory_of_edges(team const& members, graph_request const& asked, double edges) {
  graph_format const form = sheaf::detail::format_by_name(asked.output);
  bool const by_graph = form == graph_format::metis || form == graph_format::gap;
  std::string const wrong = lacking(edges * (by_graph ? bytes_while_built + bytes_of_edge : bytes_of_edge));
  throw_together(members, wrong.empty() ? wrong
                                        : about_edges(edges) + " are to be made, which " + wrong +
                                              ": choose a smaller --scale or --degree, or run on more hosts");
}

}  // namespace sheaf::tool
