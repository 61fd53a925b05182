// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/write_edges.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "graph/file_format.hpp"
#include "graph/output_file.hpp"
#include "graph/text_form.hpp"
#include "graph/write_gap.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

/// A member's edges, whatever their type.
class edge_reader {
 public:
  explicit edge_reader(edge_bytes const& its) : its_(its) {}

  [[nodiscard]] std::uint64_t count() const { return its_.count; }
  [[nodiscard]] number_kind kind() const { return its_.kind; }
  [[nodiscard]] std::uint64_t source(std::uint64_t k) const { return word(k, 0, 8); }
  [[nodiscard]] std::uint64_t target(std::uint64_t k) const { return word(k, 8, 8); }
  [[nodiscard]] std::uint64_t bits(std::uint64_t k) const { return word(k, its_.value_at, its_.kind.bytes); }
  [[nodiscard]] bool has_values() const { return its_.kind.bytes != 0; }
  /// The value as text, after `separator`; nothing without values.
  void append_value(std::string& to, char separator, std::uint64_t k) const {
    if (!has_values()) return;
    to += separator;
    append_number(to, its_.kind, bits(k));
  }

 private:
  [[nodiscard]] std::uint64_t word(std::uint64_t k, std::size_t at, std::size_t bytes) const {
    std::uint64_t found = 0;
    std::memcpy(&found, its_.first + k * its_.stride + at, bytes);
    return found;
  }

  edge_bytes const its_;
};

void append_id(std::string& to, std::uint64_t id) { append_number(to, kind_of<std::uint64_t>(), id); }

/// A writer of one file, on one member.
class edge_writer {
 public:
  edge_writer(team const& members, std::string const& path, edge_bytes const& edges, file_facts const& facts)
      : team_(members), path_(path), edges_(edges), facts_(facts) {}

  void write(graph_format format) {
    switch (format) {
      case graph_format::metis:
        return edges_.has_values() ? write_rows<std::uint64_t>() : write_rows<no_value>();
      case graph_format::matrix_market:
        return write_matrix();
      case graph_format::graph500:
        check_ids((std::uint64_t{1} << 47U) - 1);
        return write_with({}, [this](std::string& to, std::uint64_t k) { append_packed(to, k); });
      case graph_format::int64_pairs:
        check_ids((std::uint64_t{1} << 63U) - 1);
        return write_with({}, [this](std::string& to, std::uint64_t k) { append_plain(to, k); });
      case graph_format::gap:
        return path_.ends_with(".wsg") ? write_gap_graph<std::int32_t>() : write_gap_graph<no_value>();
      default:
        return write_with({}, [this](std::string& to, std::uint64_t k) { append_line(to, k); });
    }
  }

 private:
  template <class Append>
  void write_with(std::string_view first, Append const& append) {
    output_file file(team_, path_);
    write_records(file, first, edges_.count(), append);
    file.finish();
  }

  void append_line(std::string& to, std::uint64_t k) const {
    append_id(to, edges_.source(k));
    to += '\t';
    append_id(to, edges_.target(k));
    edges_.append_value(to, '\t', k);
    to += '\n';
  }
  void append_plain(std::string& to, std::uint64_t k) const {
    for (std::uint64_t const id : {edges_.source(k), edges_.target(k)})
      to.append(reinterpret_cast<char const*>(&id), sizeof id);
  }
  void append_packed(std::string& to, std::uint64_t k) const {
    std::uint64_t const source = edges_.source(k), target = edges_.target(k);
    std::uint32_t const words[] = {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target),
                                   static_cast<std::uint32_t>(source >> 32U | target >> 32U << 16U)};
    to.append(reinterpret_cast<char const*>(words), sizeof words);
  }

  /// A symmetric matrix has its lower triangle alone.
  void append_entry(std::string& to, std::uint64_t k) const {
    std::uint64_t row = edges_.source(k), column = edges_.target(k);
    if (!facts_.directed && row < column) std::swap(row, column);
    append_id(to, row + 1);
    to += ' ';
    append_id(to, column + 1);
    edges_.append_value(to, ' ', k);
    to += '\n';
  }
  void write_matrix() {
    check_ids(~std::uint64_t{0} - 1);
    std::uint64_t const all = all_reduce(team_, edges_.count(), std::plus<>{});
    std::string const n = std::to_string(*facts_.vertices);
    std::string const field = !edges_.has_values() ? "pattern" : edges_.kind().letter == 'f' ? "real" : "integer";
    std::string const head = std::string(matrix_banner) + " matrix coordinate " + field +
                             (facts_.directed ? " general\n" : " symmetric\n") + n + " " + n + " " +
                             std::to_string(all) + "\n";
    write_with(head, [this](std::string& to, std::uint64_t k) { append_entry(to, k); });
  }

  /// Collective. Then there is a number of vertices, which all ids are below. `most`: what an id may be.
  void check_ids(std::uint64_t most) {
    std::uint64_t largest = 0;
    for (std::uint64_t k = 0; k < edges_.count(); ++k)
      largest = std::max({largest, edges_.source(k), edges_.target(k)});
    auto const larger = [](auto const& a, auto const& b) { return std::max(a, b); };
    auto const [any, id] = all_reduce(team_, std::pair(edges_.count() != 0, largest), larger);
    if (any && id > most)
      throw usage_error("sheaf: " + path_ + ": its format has ids of 0 to " + std::to_string(most) + ", but there is " +
                        std::to_string(id));
    if (any && facts_.vertices && id >= *facts_.vertices)
      throw usage_error("sheaf: " + path_ + ": there is an edge of vertex " + std::to_string(id) + ", but there are " +
                        std::to_string(*facts_.vertices) + " vertices");
    if (!facts_.vertices) facts_.vertices = any ? id + 1 : 0;
  }

  /// METIS: a line for each vertex, with its neighbours. E has the bits of values.
  template <class E>
  void write_rows() {
    if (facts_.directed)
      throw usage_error("sheaf: " + path_ +
                        ": METIS has undirected graphs only; this one is directed (edge_file::directed; sheaf graph "
                        "convert --undirected)");
    if (edges_.kind().letter == 'f')
      throw usage_error("sheaf: " + path_ + ": METIS has integral weights only; these are floating-point numbers");
    check_ids(~std::uint64_t{0} - 1);
    std::vector<edge<E>> edges(edges_.count());
    for (std::uint64_t k = 0; k < edges_.count(); ++k) {
      edges[k].source = edges_.source(k);
      edges[k].target = edges_.target(k);
      if constexpr (has_values<E>) edges[k].value = edges_.bits(k);
    }
    graph<E> const g =
        build_graph(team_, std::move(edges),
                    {.directed = false, .loops = true, .parallel_edges = true, .vertices = facts_.vertices});
    output_file file(team_, path_);
    std::string const head =
        std::to_string(g.vertices()) + ' ' + std::to_string(g.edges()) + (has_values<E> ? " 001\n" : "\n");
    write_records(file, head, g.local(), [&](std::string& to, std::uint64_t v) {
      for (std::uint64_t k = g.out().first[v]; k < g.out().first[v + 1]; ++k) {
        if (k != g.out().first[v]) to += ' ';
        append_id(to, g.id(g.out().targets[k]) + 1);
        if constexpr (has_values<E>) {
          to += ' ';
          append_number(to, edges_.kind(), g.out_value(k));
        }
      }
      to += '\n';
    });
    file.finish();
  }

  template <class E>
  void write_gap_graph() {
    constexpr std::uint64_t most = std::uint64_t{1} << 31U;
    check_ids(most - 1);
    if (*facts_.vertices > most)
      throw usage_error("sheaf: " + path_ + ": its format has at most 2^31 vertices, but there are " +
                        std::to_string(*facts_.vertices));
    std::vector<edge<E>> edges;
    edges.reserve(edges_.count());
    std::string wrong;
    for (std::uint64_t k = 0; k < edges_.count(); ++k) {
      edges.push_back({edges_.source(k), edges_.target(k), {}});
      if constexpr (std::is_same_v<E, std::int32_t>) edges.back().value = weight(k, wrong);
    }
    wrong = all_reduce(team_, wrong, [](auto const& a, auto const& b) { return a.empty() ? b : a; });
    if (!wrong.empty())
      throw usage_error("sheaf: " + path_ + ": its format has weights of 32 bits, integers, but there is " + wrong);
    write_gap(team_, path_, std::move(edges), facts_);
  }
  std::int32_t weight(std::uint64_t k, std::string& wrong) const {
    std::int32_t found = 1;
    if (!edges_.has_values()) return found;
    std::string text;
    append_number(text, edges_.kind(), edges_.bits(k));
    if (!parse_number(text, kind_of<std::int32_t>(), &found)) wrong = text;
    return found;
  }

  team const& team_;
  std::string const& path_;
  edge_reader const edges_;
  file_facts facts_;
};

}  // namespace

void write_graph_file(team const& members, std::string const& path, graph_format format, edge_bytes const& edges,
                      file_facts const& facts) {
  if (format == graph_format::automatic) format = format_by_name(path);
  bool const is_text = format == graph_format::automatic || format == graph_format::edge_list ||
                       format == graph_format::matrix_market || format == graph_format::metis;
  if (path.ends_with(".gz") && !is_text)
    throw usage_error("sheaf: " + path + ": only texts are compressed; give a name without .gz");
  edge_writer(members, path, edges, facts).write(format);
}

}  // namespace sheaf::detail
