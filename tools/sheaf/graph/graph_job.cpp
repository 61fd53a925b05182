// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_job.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <utility>

#include "sheaf/command_error.hpp"
#include "sheaf/graph/file_edges.hpp"
#include "sheaf/graph/graph_memory.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string in_words(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 1 ? "%.1f ms" : "%.2f s", seconds < 1 ? seconds * 1e3 : seconds);
  return text;
}

/// How many edges begin at each own vertex of a graph that is made so, but keeps loops and parallel edges. Its vertices
/// are numbered alike, as their numbers depend on ids and `how.distribution` alone.
template <class E>
std::vector<std::uint64_t> counted_edges(team const& world, std::vector<edge<E>> const& edges, graph_options how) {
  how.directed = how.loops = how.parallel_edges = true;
  how.in_edges = false;
  auto const all = build_graph(world, without_values(edges), how);
  std::vector<std::uint64_t> counts(all.local());
  for (vertex v = 0; v < all.local(); ++v) counts[v] = all.out().degree(v);
  return counts;
}

}  // namespace

graph_job::graph_job(team const& world, graph_request const& what) : world_(world), asked_(what) {
  if (!asked_.names.empty() && world_.rank() == 0) read_names();
}

void graph_job::read_names() {
  errno = 0;
  std::ifstream file(asked_.names);
  if (!file) throw_file_error("open", asked_.names, errno);
  for (std::string line; std::getline(file, line);) names_.push_back(line);
}

std::string graph_job::name_of(std::uint64_t id) const { return id < names_.size() ? names_[id] : std::to_string(id); }

graph<> graph_job::load(bool needs_in, bool undirected) { return loaded<no_value>(needs_in, undirected); }
graph<double> graph_job::load_weighted(bool undirected) { return loaded<double>(false, undirected); }

template <class E>
graph<E> graph_job::loaded(bool needs_in, bool undirected) {
  check_memory_of_file(world_, asked_);
  double const begin = seconds_now();
  phase("reading");
  auto file = read_edges<E>(world_, asked_.file, asked_.format);
  double const read = seconds_now();
  graph_options how{.directed = asked_.directed.value_or(file.directed) && !undirected,
                    .in_edges = needs_in,
                    .distribution = asked_.distribution};
  if (how.distribution < vertex_distribution::hash) how.vertices = file.vertices;
  check_memory_of_graph(world_, asked_, extent_of(world_, file));
  bool are_ones = false;
  if constexpr (std::is_arithmetic_v<E>) are_ones = !have_values(world_, file.edges);
  double const checked = seconds_now();
  phase("building");
  if (asked_.searches != 0) edges_of_file_ = counted_edges(world_, file.edges, how);
  graph<E> g = build_graph(world_, std::move(file.edges), how);
  barrier(world_);
  double const built = seconds_now();
  describe(g, are_ones);
  tell("Time", {{"reading", in_words(read - begin)}, {"building", in_words(built - checked)}});
  return g;
}

void graph_job::phase(std::string const& name) {
  if (asked_.progress && world_.rank() == 0) std::fprintf(stderr, "\r\033[Ksheaf graph: %s", name.c_str());
}

double graph_job::timed(std::function<void()> const& f) {
  std::vector<double> all;
  for (int i = 0; i < asked_.repetitions; ++i) {
    barrier(world_);
    double const begin = seconds_now();
    f();
    all.push_back(all_reduce(world_, seconds_now() - begin, [](double a, double b) { return std::max(a, b); }));
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

void graph_job::describe(graph_shape const& g, bool are_ones) {
  std::vector<std::uint64_t> degrees(g.local());
  for (vertex v = 0; v < g.local(); ++v) degrees[v] = g.out().degree(v);
  std::uint64_t const most = degrees.empty() ? 0 : std::ranges::max(degrees);
  std::uint64_t const largest =
      all_reduce(world_, most, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  std::uint64_t const ghosts = all_reduce(world_, std::uint64_t{g.all() - g.local()}, std::plus<>{});
  report::row all{{"file", asked_.file},           {"kind", g.is_directed() ? "directed" : "undirected"},
                  {"vertices", g.vertices()},      {"edges", g.edges()},
                  {"largest degree", largest},     {"locations", world_.size()},
                  {"vertices known twice", ghosts}};
  if (are_ones) all.emplace_back("weights", "1 for each edge");
  tell("Graph", all);
  histogram one = histogram_of_powers(world_, degrees);
  one.title = "Vertices by degree";
  one.values = "degree";
  one.counts = "vertices";
  tell(std::move(one));
}

void graph_job::finish() {
  if (asked_.progress && world_.rank() == 0) std::fputs("\r\033[K", stderr);
  if (world_.rank() != 0) return;
  std::string text = asked_.json ? report_.json() : report_.text();
  if (!asked_.json) {
    for (histogram const& each : histograms_) text += "\n" + each.text();
  }
  std::fputs(text.c_str(), stdout);
  if (!asked_.plot.empty()) draw(histograms_, asked_.plot);
}

std::string in_milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
  return text;
}

/// The own vertex with most edges of all members; the smallest id of these.
std::uint64_t busiest(graph_shape const& g) {
  std::pair<std::uint64_t, std::uint64_t> best{0, 0};  // degree, ~id
  for (vertex v = 0; v < g.local(); ++v) best = std::max(best, {g.out().degree(v), ~g.id(v)});
  return ~all_reduce(g.members(), best, [](auto const& a, auto const& b) { return std::max(a, b); }).second;
}

}  // namespace sheaf::tool
