// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/graph_request.hpp"
#include "sheaf/graph/histogram.hpp"
#include "sheaf/graph/values_file.hpp"
#include "sheaf/report.hpp"

namespace sheaf::tool {

/// What one location does of `sheaf graph`. Every member constructs it; errors are command_error or usage_error.
class graph_job {
 public:
  graph_job(team const& world, graph_request const& what);

  [[nodiscard]] team const& world() const { return world_; }
  [[nodiscard]] graph_request const& asked() const { return asked_; }

  /// Collective. The file's graph; and tells what it is. `needs_in`: with the edges that end at a vertex. `undirected`:
  /// whatever the file says.
  graph<> load(bool needs_in = false, bool undirected = false);
  graph<double> load_weighted(bool undirected = false);

  /// Of each own vertex of what was loaded: how many edges of the file begin there, loops and parallel ones, too. Only
  /// where `--searches` was given.
  [[nodiscard]] std::vector<std::uint64_t> const& edges_of_file() const { return edges_of_file_; }

  /// Of a vertex, in what is printed; on the first location. Its id, where there are no names.
  [[nodiscard]] std::string name_of(std::uint64_t id) const;

  /// Names the phase on the terminal.
  void phase(std::string const& name);
  /// Collective. Calls f as often as asked; returns the median of the seconds that it took.
  double timed(std::function<void()> const& f);

  /// What is printed in the end, on the first location; the same on all.
  void tell(std::string const& section, report::row const& one) { report_.add(section, one); }
  void tell_table(std::string const& section, std::vector<report::row> const& rows) {
    report_.add_table(section, rows);
  }
  void tell(histogram one) { histograms_.push_back(std::move(one)); }
  /// Collective. The values of own vertices, any numbers, go to the output file, if there is one
  /// (sheaf/graph/values_file.hpp).
  template <class T>
  void write(graph_shape const& g, std::vector<T> const& values) {
    if (asked_.output.empty()) return;
    phase("writing");
    std::vector<std::pair<std::uint64_t, T>> all;
    all.reserve(g.local());
    for (vertex v = 0; v < g.local(); ++v) all.emplace_back(g.id(v), values[v]);
    write_values(world_, asked_.output, asked_.output_format, all);
  }
  /// Prints, and draws.
  void finish();

 private:
  template <class E>
  graph<E> loaded(bool needs_in, bool undirected);
  void read_names();
  /// `are_ones`: so are the weights of all edges.
  void describe(graph_shape const& g, bool are_ones);

  team const& world_;
  graph_request const& asked_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> edges_of_file_;
  report report_;
  std::vector<histogram> histograms_;
};

std::string in_milliseconds(double seconds);
/// Collective. Tells the vertices with the largest values.
void tell_largest(graph_job& job, graph_shape const& g, std::vector<double> const& values, std::size_t most);
/// Collective. The id of the vertex where most edges begin; the smallest one of several.
std::uint64_t busiest(graph_shape const& g);

}  // namespace sheaf::tool
