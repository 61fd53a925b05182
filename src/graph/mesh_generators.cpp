// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <array>
#include <string>

#include "sheaf/base/partition.hpp"
#include "sheaf/graph/generators.hpp"

namespace sheaf {

namespace {

using coordinates = std::array<std::uint64_t, 3>;

std::uint64_t cells_of(coordinates const& size) {
  std::uint64_t cells = 1;
  for (std::uint64_t const each : size) {
    if (__builtin_mul_overflow(cells, each, &cells))
      throw usage_error("a mesh of " + std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
                        std::to_string(size[2]) + " cells has more than 2^64; take fewer");
  }
  return cells;
}

/// The faces between a member's cells and those above them: `make(low, high, axis)` is the edge of one.
template <class F>
std::vector<edge<>> faces(team const& members, coordinates const& size, F make) {
  block_partition const parts(cells_of(size), members.size());
  std::uint64_t const first = parts.first(members.rank()), own = parts.count(members.rank());
  coordinates const stride{1, size[0], size[0] * size[1]};
  std::vector<edge<>> edges;
  edges.reserve(3 * own);
  for (std::uint64_t cell = first; cell < first + own; ++cell) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      std::uint64_t const at = cell / stride[axis] % size[axis];
      if (at + 1 < size[axis]) edges.push_back(make(cell, cell + stride[axis], axis));
    }
  }
  return edges;
}

}  // namespace

std::vector<edge<>> mesh_3d(team const& members, std::uint64_t nx, std::uint64_t ny, std::uint64_t nz) {
  return faces(members, {nx, ny, nz}, [](std::uint64_t low, std::uint64_t high, unsigned) {
    return edge<>{low, high};
  });
}

std::vector<edge<>> mesh_2d(team const& members, std::uint64_t nx, std::uint64_t ny) {
  return mesh_3d(members, nx, ny, 1);
}

std::vector<edge<>> transport_sweep(team const& members, sweep_mesh const& mesh) {
  detail::random_words const words(mesh.seed, 0x7377656570);
  auto const flow = [&](std::uint64_t low, unsigned axis) {  // through the face above the cell
    double through = 0;
    for (unsigned k = 0; k < 3; ++k) {
      double const askew = mesh.amount * (2 * words.unit(9 * low + 3 * axis + k) - 1);
      through += mesh.direction[k] * (askew + (k == axis ? 1 : 0));
    }
    return through;
  };
  return faces(members, {mesh.nx, mesh.ny, mesh.nz}, [&](std::uint64_t low, std::uint64_t high, unsigned axis) {
    return flow(low, axis) < 0 ? edge<>{high, low} : edge<>{low, high};
  });
}

// Directions as in discrete ordinates, one or two in each octant. Amounts and seeds are chosen, with a serial search
// for components, for a variety and the sum: eight meshes with 17 to 47 components of 4 to 11 cells, two with one
// component of most cells.
std::array<sweep_mesh, 10> armi_meshes() {
  constexpr double small = 0.35, equal = 0.58, large = 0.87;
  constexpr std::uint64_t nx = 22, ny = 22, nz = 21;
  return {{{nx, ny, nz, {small, small, large}, 0.35, 1},
           {nx, ny, nz, {-small, small, large}, 0.35, 2},
           {nx, ny, nz, {small, -large, small}, 0.36, 3},
           {nx, ny, nz, {small, large, -small}, 0.36, 4},
           {nx, ny, nz, {-large, -small, small}, 0.37, 5},
           {nx, ny, nz, {large, -small, -small}, 0.37, 6},
           {nx, ny, nz, {-small, -small, -large}, 0.38, 7},
           {nx, ny, nz, {equal, equal, equal}, 0.52, 8},
           {nx, ny, nz, {-equal, equal, -equal}, 1.0, 9},
           {nx, ny, nz, {-small, -large, -small}, 0.9, 43}}};
}

}  // namespace sheaf
