// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/base/huge_pages.hpp"
#include "sheaf/graph/detail/number_kind.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// Forms of files that hold a graph. Ids of vertices are 0…n−1 in all but edge lists, which have any 64-bit numbers;
/// Matrix Market and METIS count from 1 in the file, and from 0 here. Bytes of numbers are in the order of x86-64.
enum class graph_format : std::uint8_t {
  automatic,      ///< by the name's ending, see below, .gz left out; else by the first line
  matrix_market,  ///< .mtx, .mm: a square coordinate matrix: pattern, integer or real; general or symmetric
  edge_list,  ///< a line for each edge: two ids and, if there is one, a value; lines with # or % in front are comments
  metis,      ///< .graph, .metis: a line for each vertex; undirected; each edge stands twice, and is read once. Weights
              ///< of vertices are passed over
  graph500,   ///< .g500: 12 bytes for each edge: the low 32 bits of its ends, then twice 16 high bits. Directed
  int64_pairs,  ///< .i64: 16 bytes for each edge, as Graph500 without packing. Directed
  gap           ///< .sg, .wsg: the GAP benchmark suite's serialized graphs, those with weights by their size; of
                ///< undirected ones each edge is read once
};

/// A file cannot be read or written, or is no graph. The text is FILE:LINE: what is wrong there, and what was found.
class graph_file_error : public error {
 public:
  using error::error;
};

/// A graph as files have it; `edges` is a member's part of them. An undirected edge is given once.
template <class E = no_value>
struct edge_file {
  std::vector<edge<E>> edges;
  bool directed = true;                     ///< as the file says; edge lists do not say
  std::optional<std::uint64_t> vertices{};  ///< as the file says
};

namespace detail {

/// What takes the edges of a file, one after the other. False: it is no value of this type.
struct edge_sink {
  void* edges = nullptr;
  void (*reserve)(void* edges, std::uint64_t count) = nullptr;
  /// `value` is empty where there is none.
  bool (*take)(void* edges, std::uint64_t source, std::uint64_t target, std::string_view value) = nullptr;
  bool (*take_integer)(void* edges, std::uint64_t source, std::uint64_t target, std::int64_t value) = nullptr;
};
struct file_facts {
  bool directed = true;
  std::optional<std::uint64_t> vertices{};
};
file_facts read_graph_file(team const& members, std::string const& path, graph_format format, edge_sink to);

template <class E>
struct edge_taker {
  static void reserve(void* edges, std::uint64_t count) {
    reserve_in_huge_pages(*static_cast<std::vector<edge<E>>*>(edges), count);
  }
  static bool take(void* edges, std::uint64_t source, std::uint64_t target, std::string_view value) {
    E its{};
    if constexpr (file_number<E>) {
      its = E{1};
      if (!value.empty() && !parse_number(value, kind_of<E>(), &its)) return false;
    }
    static_cast<std::vector<edge<E>>*>(edges)->push_back({source, target, its});
    return true;
  }
  static bool take_integer(void* edges, std::uint64_t source, std::uint64_t target, std::int64_t value) {
    E its{};
    if constexpr (file_number<E>) {
      if (!convert_number(value, kind_of<E>(), &its)) return false;
    }
    static_cast<std::vector<edge<E>>*>(edges)->push_back({source, target, its});
    return true;
  }
};

template <class E>
constexpr void check_edge_value() {
  static_assert(std::is_empty_v<E> || file_number<E>,
                "sheaf: files have edges with numbers of up to 64 bits, or without values");
}

}  // namespace detail

/// Collective. Reads the edges of a file, each member its own part, about as many bytes each; with values, if E is a
/// number: an edge without one gets 1, and one that E cannot hold is an error. A text may be compressed by gzip: then
/// one member inflates it, and deals blocks of lines to all. The file must be there for all members, and must not
/// change meanwhile. A METIS file and an undirected one of GAP whose edges do not stand in both directions is an error.
/// Takes no memory that the file's own bytes do not account for. Throws graph_file_error on all members, with what is
/// wrong first in the file.
template <class E = no_value>
edge_file<E> read_edges(team const& members, std::string const& path, graph_format format = graph_format::automatic) {
  detail::check_edge_value<E>();
  using taker = detail::edge_taker<E>;
  edge_file<E> all;
  detail::edge_sink const to{&all.edges, &taker::reserve, &taker::take, &taker::take_integer};
  auto const facts = detail::read_graph_file(members, path, format, to);
  all.directed = facts.directed;
  all.vertices = facts.vertices;
  return all;
}

}  // namespace sheaf
