// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A sparse matrix times a vector, y = A x, on one-sided memory: rows of A and of x are spread over all locations, each
/// gets the elements of x that its rows need, and adds to the elements of y of the transposed product, wherever these
/// are. The sums are of whole numbers, so that they are exact: uᵀ(A x) = (Aᵀu)ᵀx.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/memory.hpp"
#include "sheaf/sheaf.hpp"

constexpr std::size_t own_rows = 2000, in_a_row = 8;

struct entry {
  std::size_t row, column;  // the row: of this location's; the column: of all
  double value;
};

std::vector<entry> some_rows(sheaf::team const& world) {
  std::vector<entry> entries;
  std::uint64_t random = world.rank() + 1;
  for (std::size_t i = 0; i < own_rows * in_a_row; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    entries.push_back(
        {i / in_a_row, (random >> 33) % (own_rows * world.size()), 1.0 + static_cast<double>(random >> 60)});
  }
  return entries;
}

double dot(sheaf::team const& world, std::span<double const> a, std::span<double const> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sheaf::all_reduce(world, sum, std::plus<>{});
}

int main() {
  return sheaf::run([](sheaf::team world) {
    sheaf::shared_array<double> x(world, own_rows), transposed(world, own_rows);
    std::vector<double> y(own_rows), u(own_rows);
    for (std::size_t i = 0; i < own_rows; ++i) {
      x.own()[i] = static_cast<double>(i % 10 + world.rank());
      u[i] = static_cast<double>(i % 7);
    }
    std::vector<entry> const entries = some_rows(world);
    sheaf::barrier(world);  // now everybody's x is there

    // y = A x: all elements of x that are needed, by one call.
    std::vector<double> needed(entries.size());
    std::vector<sheaf::piece<double>> pieces;
    auto const element = [&](auto const& array, std::size_t column) {
      return array.at(column / own_rows) + static_cast<std::ptrdiff_t>(column % own_rows);
    };
    for (std::size_t i = 0; i < entries.size(); ++i) pieces.push_back({element(x, entries[i].column), &needed[i], 1});
    sheaf::get(pieces);
    for (std::size_t i = 0; i < entries.size(); ++i) y[entries[i].row] += entries[i].value * needed[i];

    // Aᵀ u: each adds to elements at other locations.
    for (entry const& e : entries) sheaf::accumulate(element(transposed, e.column), e.value, u[e.row]);
    sheaf::fence_all();
    sheaf::barrier(world);

    double const left = dot(world, u, y), right = dot(world, transposed.own(), x.own());
    if (world.rank() == 0) std::printf("%zu rows: %.0f = %.0f\n", own_rows * world.size(), left, right);
    return left == right ? 0 : 1;
  });
}
