// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// Forms of files that hold a graph.
enum class graph_format : std::uint8_t {
  automatic,      ///< by the name (.mtx), else by the first line
  matrix_market,  ///< a square coordinate matrix; its row 1 is the vertex 0
  edge_list  ///< a line for each edge: two ids and, if there is one, a value; lines with # or % in front are comments
};

/// A file cannot be read, or is no graph. The text names the file, the line, and what is wrong there.
class graph_file_error : public error {
 public:
  using error::error;
};

/// What a member has read of a file: its part of the edges.
template <class E = no_value>
struct edge_file {
  std::vector<edge<E>> edges;
  bool directed = true;                     ///< as the file says; edge lists do not say
  std::optional<std::uint64_t> vertices{};  ///< as the file says
};

namespace detail {

/// What takes the edges of a file, one after the other.
struct edge_sink {
  void* edges = nullptr;
  /// `value` is empty where there is none. False: it is no value of this type.
  bool (*take)(void* edges, std::uint64_t source, std::uint64_t target, std::string_view value) = nullptr;
};
struct file_facts {
  bool directed = true;
  std::optional<std::uint64_t> vertices{};
};
file_facts read_graph_file(team const& members, std::string const& path, graph_format format, edge_sink to);

template <class E>
bool take_edge(void* edges, std::uint64_t source, std::uint64_t target, std::string_view value) {
  E its{};
  if constexpr (std::is_arithmetic_v<E>) {
    its = E{1};
    if (!value.empty()) {
      auto const end = value.data() + value.size();
      auto const [at, wrong] = std::from_chars(value.data(), end, its);
      if (wrong != std::errc{} || at != end) return false;
    }
  }
  static_cast<std::vector<edge<E>>*>(edges)->push_back({source, target, its});
  return true;
}

}  // namespace detail

/// Collective. Reads the edges of a file, each member its own part; with values, if E is a number: an edge without one
/// gets 1. The file must be there for all members. Throws graph_file_error on all members.
template <class E = no_value>
edge_file<E> read_edges(team const& members, std::string const& path, graph_format format = graph_format::automatic) {
  static_assert(std::is_empty_v<E> || std::is_arithmetic_v<E>,
                "sheaf: files have edges with numbers, or without values");
  edge_file<E> all;
  auto const facts = detail::read_graph_file(members, path, format, {&all.edges, &detail::take_edge<E>});
  all.directed = facts.directed;
  all.vertices = facts.vertices;
  return all;
}

}  // namespace sheaf
