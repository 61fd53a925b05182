// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/vertex_ids.hpp"

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf::vertex;
using sheaf_test::make_graph;

class vertex_ids : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(vertex_ids);

TEST_P(vertex_ids, are_those_of_the_owners) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = make_graph(seed).build(world);
    std::vector<std::uint64_t> own, right;
    for (vertex v = 0; v < g.local(); ++v) own.push_back(g.id(v));
    for (auto const& part : sheaf::all_gather(world, own)) right.insert(right.end(), part.begin(), part.end());
    std::vector<std::uint64_t> numbers{~std::uint64_t{0}};
    for (std::uint64_t number = world.rank(); number < g.vertices(); number += 2) {
      numbers.push_back(g.vertices() - 1 - number);
      numbers.push_back(number);
    }
    auto const found = sheaf::ids_of(g, numbers);
    ASSERT_EQ(found.size(), numbers.size());
    EXPECT_EQ(found[0], ~std::uint64_t{0});
    for (std::size_t k = 1; k < numbers.size(); ++k) EXPECT_EQ(found[k], right[numbers[k]]) << "number " << numbers[k];
  });
}

}  // namespace
