// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/runtime/team.hpp"

/// Graphs to test and measure with. A generator returns the calling member's part of the edges, for build_graph. The
/// parts of all members, in the order of ranks, are one list, which is the same for any number of members: what is
/// random is a function of the seed and of the number of the edge. Local; parts have equal numbers of edges, of meshes
/// equal numbers of cells, but for one. Vertices are 0…n−1. Throw usage_error for arguments that make no graph.
namespace sheaf {

/// m edges, each with two independent, uniform ends: G(n, m) with replacement (Erdős and Rényi), directed. Loops and
/// parallel edges may occur.
std::vector<edge<>> erdos_renyi(team const& members, std::uint64_t n, std::uint64_t m, std::uint64_t seed = 1);

/// n edges: a directed cycle through all vertices, in pseudo-random order.
std::vector<edge<>> hamiltonian_cycle(team const& members, std::uint64_t n, std::uint64_t seed = 1);

/// Both, m + n edges: a strongly connected random graph, on which AM++ measures graph exploration (§4.2).
std::vector<edge<>> erdos_renyi_with_cycle(team const& members, std::uint64_t n, std::uint64_t m,
                                           std::uint64_t seed = 1);

/// R-MAT (Chakrabarti, Zhan, Faloutsos 2004). An edge falls into the quadrants (0,0), (0,1), (1,0), (1,1) of the
/// adjacency matrix with probabilities a, b, c and the rest, and again in that quadrant, bit by bit.
struct rmat_options {
  double a = 0.57, b = 0.19, c = 0.19;
  bool scrambled = true;  ///< ids are permuted; else ids with many zero bits have the large degrees
};

/// 2^scale vertices, `edges` independent edges. Loops and parallel edges occur. Probabilities are rounded to
/// multiples of 2^-32. Takes a random word for two levels.
std::vector<edge<>> rmat(team const& members, unsigned scale, std::uint64_t edges, std::uint64_t seed = 1,
                         rmat_options const& how = {});

/// The graph of Graph500 (specification 2.0, §3): R-MAT with its probabilities, permuted ids, 2^scale vertices and
/// edge_factor·2^scale edges, which are meant without a direction. As edges are independent, their order is random,
/// which the specification gets by another permutation.
std::vector<edge<>> kronecker(team const& members, unsigned scale, std::uint64_t edge_factor = 16,
                              std::uint64_t seed = 1);

/// Small worlds (Watts and Strogatz 1998), without directions: a ring in which each vertex is joined to its k nearest,
/// and the other end of each edge is moved to a uniform vertex with probability p. n·k/2 edges, no loops; k is even and
/// below n. A moved edge may be parallel to another, where the paper draws again.
std::vector<edge<>> small_world(team const& members, std::uint64_t n, std::uint64_t k, double p,
                                std::uint64_t seed = 1);

/// Cells of a grid, joined to those that they share a face with: one edge for each pair, from the lower id. Cell
/// (x, y, z) is x + nx·(y + ny·z).
std::vector<edge<>> mesh_2d(team const& members, std::uint64_t nx, std::uint64_t ny);
std::vector<edge<>> mesh_3d(team const& members, std::uint64_t nx, std::uint64_t ny, std::uint64_t nz);

/// A mesh through which particles fly in one direction.
struct sweep_mesh {
  std::uint64_t nx = 1, ny = 1, nz = 1;
  std::array<double, 3> direction{1, 1, 1};
  double amount = 0;  ///< of what is added to the components of unit normals, uniform in [−amount, amount)
  std::uint64_t seed = 1;

  [[nodiscard]] std::uint64_t vertices() const { return nx * ny * nz; }
};

/// The order in which a transport sweep solves the cells: an edge for each face, to the cell that the particles fly
/// into, by the sign of direction · normal (of 0: to the higher id). Without a cycle if the amount is 0; else faces
/// are askew, as those of deformed cells are, and cells on a cycle are a strongly connected component.
std::vector<edge<>> transport_sweep(team const& members, sweep_mesh const& mesh);

/// What ARMI §5.3 measures strongly connected components with: "10 meshes, each consisting of approximately 10k
/// vertices and 30k edges, for a total of 338 strongly-connected components". Its meshes are not published. These have
/// 10,164 vertices and 29,084 edges each, and in all 338 components of more than one vertex. Cells on no cycle are not
/// counted, since the paper's algorithm trims the edges outside components and ends when no edge is left; if they were,
/// all but about 33 cells of each mesh would be on one cycle or another, but in a sweep in one direction some hundreds,
/// near the faces of the mesh, are not (248 were the fewest found).
std::array<sweep_mesh, 10> armi_meshes();

namespace detail {

/// Uniform in [low, high], of floating-point types in [low, high).
template <class W>
W random_weight(random_words const& words, W low, W high) {
  if constexpr (std::floating_point<W>) {
    constexpr int bits = std::min(std::numeric_limits<W>::digits, 53);
    W const found = low + static_cast<W>(words.unit(0, bits)) * (high - low);
    return std::min(found, std::nextafter(high, low));  // a sum may be rounded up
  } else {
    std::uint64_t const range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;  // 0: 2^64
    return static_cast<W>(static_cast<std::uint64_t>(low) + (range == 0 ? words.word(0) : words.below(range, 0)));
  }
}

}  // namespace detail

/// The edges with a weight each, uniform in [low, high], of floating-point types in [low, high): a function of the seed
/// and of the ends as an unordered pair, so that it is the same for any number of members, in both directions, and for
/// parallel edges. Graph500's shortest paths take <float>(edges, seed, 0, 1); GAP's take <int>(edges, seed, 1, 255).
/// (Both benchmarks draw for parallel edges separately.) Throws usage_error if high < low.
template <class W>
requires(std::floating_point<W> || (std::integral<W> && !std::same_as<W, bool>))
    std::vector<edge<W>> with_random_weights(std::vector<edge<>> const& edges, std::uint64_t seed,
                                             std::type_identity_t<W> low, std::type_identity_t<W> high) {
  if (!(low <= high)) throw usage_error("with_random_weights: the lowest weight must not be above the highest");
  std::vector<edge<W>> weighted;
  weighted.reserve(edges.size());
  for (edge<> const& each : edges) {
    auto const [first, second] = std::minmax({each.source, each.target});
    detail::random_words const words(seed ^ detail::mixed(first), second);
    weighted.push_back({each.source, each.target, detail::random_weight<W>(words, low, high)});
  }
  return weighted;
}

}  // namespace sheaf
