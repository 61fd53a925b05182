// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/generators.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "graph/random_order.hpp"
#include "graph/serial.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/graph.hpp"

namespace {

namespace serial = sheaf_test::serial;
using serial::id;
using sheaf::edge;
using sheaf::sweep_mesh;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;
using edges = std::vector<edge<>>;

class generators : public sheaf_test::over {};
SHEAF_OVER_ALL(generators);

/// What one member alone makes. These are all edges, as `do_not_depend_on_the_number_of_members` shows.
template <class F>
auto alone(F make) {
  decltype(make(std::declval<team const&>())) all;
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [&](team const& world) { all = make(world); });
  return all;
}

/// A count of what happens with probability p in each of n independent tries: within five standard deviations. Seeds
/// are fixed, so that a test that passed passes again.
void expect_share(std::uint64_t found, double n, double p, std::string const& what) {
  EXPECT_NEAR(static_cast<double>(found), n * p, 5 * std::sqrt(n * p * (1 - p)) + 1) << what;
}

std::vector<id> degrees(edges const& all, id n) {
  std::vector<id> degree(n, 0);
  for (auto const& each : all) ++degree.at(each.source), ++degree.at(each.target);
  return degree;
}

std::vector<edges (*)(team const&)> const some_of_each{
    [](team const& t) { return sheaf::erdos_renyi(t, 50, 500, 3); },
    [](team const& t) { return sheaf::erdos_renyi(t, 50, 5, 3); },
    [](team const& t) { return sheaf::erdos_renyi(t, 0, 0); },
    [](team const& t) { return sheaf::hamiltonian_cycle(t, 100, 3); },
    [](team const& t) { return sheaf::erdos_renyi_with_cycle(t, 30, 100, 3); },
    [](team const& t) { return sheaf::kronecker(t, 6, 16, 3); },
    [](team const& t) { return sheaf::rmat(t, 5, 77, 3, {.a = 0.3, .b = 0.1, .c = 0.2, .scrambled = false}); },
    [](team const& t) { return sheaf::small_world(t, 40, 4, 0.2, 3); },
    [](team const& t) { return sheaf::mesh_2d(t, 7, 5); },
    [](team const& t) { return sheaf::mesh_3d(t, 4, 3, 5); },
    [](team const& t) {
      return sheaf::transport_sweep(t, {.nx = 4, .ny = 5, .nz = 3, .direction = {1, -2, 1}, .amount = 1});
    }};

TEST_P(generators, do_not_depend_on_the_number_of_members) {
  for (std::size_t k = 0; k < some_of_each.size(); ++k) {
    edges const expected = alone(some_of_each[k]);
    for (unsigned const members : {1U, 2U, 3U, 4U, 7U, 8U}) {
      run(members, [&](team const& world) {
        edges const mine = some_of_each[k](world);
        edges all;
        for (edges const& part : sheaf::all_gather(world, mine)) all.insert(all.end(), part.begin(), part.end());
        EXPECT_EQ(all, expected) << "generator " << k;
        std::size_t const uneven = k > 7 ? 3 + expected.size() / 5 : 1;  // cells at the surface have fewer faces
        EXPECT_LE(mine.size(), expected.size() / members + uneven) << "generator " << k;
      });
    }
  }
}

TEST_P(generators, make_graphs_of_other_seeds) {
  run(1, [](team const& t) {
    EXPECT_NE(sheaf::erdos_renyi(t, 50, 500, 3), sheaf::erdos_renyi(t, 50, 500, 4));
    EXPECT_NE(sheaf::hamiltonian_cycle(t, 50, 3), sheaf::hamiltonian_cycle(t, 50, 4));
    EXPECT_NE(sheaf::kronecker(t, 6, 16, 3), sheaf::kronecker(t, 6, 16, 4));
    EXPECT_NE(sheaf::small_world(t, 40, 4, 0.2, 3), sheaf::small_world(t, 40, 4, 0.2, 4));
    sweep_mesh mesh{.nx = 9, .ny = 9, .nz = 9, .amount = 1, .seed = 3};
    edges const third = sheaf::transport_sweep(t, mesh);
    mesh.seed = 4;
    EXPECT_NE(sheaf::transport_sweep(t, mesh), third);
  });
}

TEST(random_order, is_a_permutation_that_mixes) {
  for (id n = 1; n < 300; ++n) {
    sheaf::detail::random_order const at(n, n);
    std::set<id> found;
    for (id i = 0; i < n; ++i) found.insert(at(i));
    EXPECT_EQ(found.size(), n);
    EXPECT_EQ(*found.rbegin(), n - 1);
  }
  id const n = 100000;
  sheaf::detail::random_order const at(n, 1);
  std::vector<id> halves(4, 0), steps(2, 0);
  for (id i = 0; i < n; ++i) ++halves[2 * (2 * i / n) + 2 * at(i) / n];
  for (id const each : halves) expect_share(each, n, 0.25, "halves to halves");
  for (id i = 1; i < n; ++i) ++steps[at(i) > at(i - 1) ? 1 : 0];
  expect_share(steps[1], n, 0.5, "ascents");  // their variance is n/12, smaller
}

TEST_P(generators, refuse_what_makes_no_graph) {
  run(2, [](team const& t) {
    auto const text = [](auto f) { return text_of<sheaf::usage_error>(f); };
    expect_in("5 edges need a vertex", text([&] { sheaf::erdos_renyi(t, 0, 5); }));
    expect_in("scale must be 0…63, but is 64", text([&] { sheaf::rmat(t, 64, 1); }));
    expect_in("scale must be 0…63, but is 64", text([&] { sheaf::kronecker(t, 64); }));
    expect_in("2^64", text([&] { sheaf::kronecker(t, 61, 16); }));
    expect_in("but is 1.2", text([&] { sheaf::rmat(t, 4, 1, 1, {.a = 0.8, .b = 0.2, .c = 0.2}); }));
    expect_in("must not be negative", text([&] { sheaf::rmat(t, 4, 1, 1, {.a = -0.1}); }));
    expect_in("must be even and below n, 10, but is 3", text([&] { sheaf::small_world(t, 10, 3, 0.5); }));
    expect_in("must be even and below n, 10, but is 10", text([&] { sheaf::small_world(t, 10, 10, 0.5); }));
    expect_in("p must be in [0, 1], but is 1.5", text([&] { sheaf::small_world(t, 10, 2, 1.5); }));
    expect_in("more than 2^64", text([&] { sheaf::mesh_3d(t, 1U << 31, 1U << 31, 5); }));
    expect_in("must not be above", text([] { sheaf::with_random_weights<int>({}, 1, 2, 1); }));
  });
}

// --- Random graphs ----------------------------------------------------------------------------------------------

TEST(erdos_renyi, has_uniform_independent_ends) {
  id const n = 10, m = 100000;
  edges const all = alone([&](team const& t) { return sheaf::erdos_renyi(t, n, m, 7); });
  ASSERT_EQ(all.size(), m);
  std::map<std::pair<id, id>, std::uint64_t> count;
  for (auto const& each : all) ++count[{each.source, each.target}];
  EXPECT_EQ(count.size(), n * n);
  for (auto const& [ends, found] : count)
    expect_share(found, m, 0.01, std::to_string(ends.first) + " to " + std::to_string(ends.second));
  std::uint64_t follow = 0;
  for (id i = 1; i < m; ++i) follow += all[i].source == all[i - 1].target ? 1 : 0;
  expect_share(follow, m - 1, 0.1, "edges that begin where the last one ended");
}

TEST(hamiltonian_cycle, meets_all_vertices_in_any_order) {
  for (id const n : {0, 1, 2, 3, 4, 5, 16, 17, 1000}) {
    edges const all = alone([&](team const& t) { return sheaf::hamiltonian_cycle(t, n); });
    ASSERT_EQ(all.size(), n);
    std::set<id> met;
    for (id i = 0; i < n; ++i) {
      EXPECT_EQ(all[i].target, all[(i + 1) % n].source);
      met.insert(all[i].source);
    }
    EXPECT_EQ(met.size(), n);
    EXPECT_TRUE(met.empty() || *met.rbegin() == n - 1);
    if (n < 1000) continue;
    EXPECT_LT(std::ranges::count_if(all, [](auto const& each) { return each.target == each.source + 1; }), 10);
  }
}

TEST(erdos_renyi_with_cycle, is_strongly_connected) {
  id const n = 500, m = 100;
  edges const both = alone([&](team const& t) { return sheaf::erdos_renyi_with_cycle(t, n, m, 5); });
  edges parts = alone([&](team const& t) { return sheaf::hamiltonian_cycle(t, n, 5); });
  edges const random = alone([&](team const& t) { return sheaf::erdos_renyi(t, n, m, 5); });
  parts.insert(parts.end(), random.begin(), random.end());
  EXPECT_EQ(both, parts);
  EXPECT_EQ(serial::strong_components(serial::rows_of(both, n, true)), std::vector<id>(n, 0));
}

// --- R-MAT ------------------------------------------------------------------------------------------------------

/// Edges as the Octave code of the specification draws them: two comparisons for each bit, from another source of
/// random numbers.
edges reference_edges(unsigned scale, std::uint64_t count, double a, double b, double c) {
  std::mt19937_64 next(1);
  std::uniform_real_distribution<double> unit;
  edges all(count);
  for (auto& each : all) {
    for (unsigned bit = 0; bit < scale; ++bit) {
      bool const down = unit(next) > a + b;
      bool const right = unit(next) > (down ? c / (1 - (a + b)) : a / (a + b));
      each.source += id{down} << bit;
      each.target += id{right} << bit;
    }
  }
  return all;
}

/// How many vertices have a degree of at least 1, 2, 4, 8, …
std::vector<id> tail(std::vector<id> const& degree) {
  std::vector<id> found;
  for (id least = 1; least < 1U << 16U; least *= 2)
    found.push_back(static_cast<id>(std::ranges::count_if(degree, [&](id d) { return d >= least; })));
  return found;
}

/// Of an unscrambled edge.
id quadrant(edge<> const& each, unsigned bit) { return 2 * (each.source >> bit & 1U) + (each.target >> bit & 1U); }

/// Two levels of one edge, and of edges that follow each other, are independent.
void expect_quadrants(edges const& all, unsigned scale, std::array<double, 4> const& share) {
  for (unsigned levels = 0; levels < scale * scale; ++levels) {
    unsigned const first = levels / scale, second = levels % scale;
    std::map<std::pair<id, id>, std::uint64_t> one, next;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      ++one[{quadrant(all[i], first), quadrant(all[i], second)}];
      ++next[{quadrant(all[i], first), quadrant(all[i + 1], second)}];
    }
    double const n = static_cast<double>(all.size() - 1);
    std::string const what = "levels " + std::to_string(first) + " and " + std::to_string(second);
    EXPECT_EQ(one.size(), first == second ? 4u : 16u);
    EXPECT_EQ(next.size(), 16u);
    for (auto const& [at, found] : one)
      expect_share(found, n, first == second ? share[at.first] : share[at.first] * share[at.second], what);
    for (auto const& [at, found] : next)
      expect_share(found, n, share[at.first] * share[at.second], what + " of two edges");
  }
}

TEST(rmat, has_the_quadrants_that_it_was_told) {
  sheaf::rmat_options how{.a = 0.45, .b = 0.25, .c = 0.1, .scrambled = false};
  expect_quadrants(alone([&](team const& t) { return sheaf::rmat(t, 5, 200000, 3, how); }), 5, {0.45, 0.25, 0.1, 0.2});
  how = {.scrambled = false};
  expect_quadrants(alone([&](team const& t) { return sheaf::rmat(t, 6, 200000, 3, how); }), 6,
                   {0.57, 0.19, 0.19, 0.05});
  how = {.a = 0, .b = 1, .c = 0, .scrambled = false};
  EXPECT_EQ(alone([&](team const& t) { return sheaf::rmat(t, 63, 1, 3, how); }), (edges{{0, (id{1} << 63U) - 1}}));
}

TEST(kronecker, has_the_degrees_of_the_specification) {
  unsigned const scale = 12;
  id const n = id{1} << scale, m = 16 * n;
  auto const degree = degrees(alone([&](team const& t) { return sheaf::kronecker(t, scale); }), n);
  EXPECT_EQ(std::accumulate(degree.begin(), degree.end(), id{0}), 2 * m);
  auto const found = tail(degree), expected = tail(degrees(reference_edges(scale, m, 0.57, 0.19, 0.19), n));
  for (std::size_t k = 0; k < found.size(); ++k) {
    double const both = static_cast<double>(found[k] + expected[k]);  // the variance of the difference is below it
    EXPECT_NEAR(static_cast<double>(found[k]), static_cast<double>(expected[k]), 5 * std::sqrt(both))
        << "degree 2^" << k;
  }
}

/// By the probability that an edge has an end at a vertex, which depends on how many bits of it are set.
TEST(kronecker, leaves_as_many_vertices_without_edges_as_probability_says) {
  unsigned const scale = 12;
  double const a = 0.57, b = 0.19, c = 0.19, d = 0.05, m = 16.0 * 4096;
  double expected = 0, ways = 1;
  for (unsigned set = 0; set <= scale; ++set) {
    auto const product = [&](double of_zero, double of_one) {
      return std::pow(of_zero, scale - set) * std::pow(of_one, set);
    };
    double const touched = product(a + b, c + d) + product(a + c, b + d) - product(a, d);
    expected += ways * std::pow(1 - touched, m);
    ways = ways * (scale - set) / (set + 1);
  }
  auto const degree = degrees(alone([&](team const& t) { return sheaf::kronecker(t, scale, 16, 9); }), 4096);
  auto const alone_ones = static_cast<std::uint64_t>(std::ranges::count(degree, 0u));
  expect_share(alone_ones, 4096, expected / 4096, "vertices without edges");
}

TEST(kronecker, has_scrambled_ids) {
  auto const make = [](bool scrambled) {
    return alone([&](team const& t) { return sheaf::rmat(t, 10, 16384, 5, {.scrambled = scrambled}); });
  };
  edges const plain = make(false), scrambled = make(true);
  std::map<id, id> to, back;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    for (auto const& [from, at] :
         {std::pair{plain[i].source, scrambled[i].source}, std::pair{plain[i].target, scrambled[i].target}}) {
      EXPECT_EQ(to.emplace(from, at).first->second, at);
      EXPECT_EQ(back.emplace(at, from).first->second, from);
    }
  }
  auto const fixed = std::ranges::count_if(to, [](auto const& each) { return each.first == each.second; });
  EXPECT_LT(fixed, 10);
  EXPECT_EQ(alone([](team const& t) { return sheaf::kronecker(t, 10, 16, 5); }), scrambled);
}

// --- Small worlds -----------------------------------------------------------------------------------------------

TEST(small_world, is_a_ring_some_of_whose_edges_were_moved) {
  id const n = 10000, k = 6;
  auto const make = [&](double p) { return alone([&](team const& t) { return sheaf::small_world(t, n, k, p, 5); }); };
  auto const is_near = [&](edge<> const& each) { return (each.target + n - each.source) % n - 1 < k / 2; };
  auto const near = [&](edges const& all) { return static_cast<std::uint64_t>(std::ranges::count_if(all, is_near)); };
  edges const ring = make(0), some = make(0.1), all = make(1);
  EXPECT_EQ(degrees(ring, n), std::vector<id>(n, k));
  EXPECT_EQ(serial::simple(ring, false).size(), n * k / 2);
  EXPECT_EQ(near(ring), n * k / 2);
  expect_share(near(some), n * k / 2, 0.9 + 0.1 * 3 / n, "edges that stay");
  expect_share(near(all), n * k / 2, 3.0 / n, "near ones when all are moved");
  std::map<id, std::uint64_t> tenths;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].source, ring[i].source);
    EXPECT_NE(all[i].source, all[i].target);
    ++tenths[all[i].target * 10 / n];
  }
  EXPECT_EQ(tenths.size(), 10u);
  for (auto const& [tenth, found] : tenths) expect_share(found, n * k / 2, 0.1, "targets");
  edges moved = some;
  std::erase_if(moved, is_near);
  auto const low = std::ranges::count_if(moved, [&](auto const& each) { return each.target < n / 2; });
  expect_share(static_cast<std::uint64_t>(low), static_cast<double>(moved.size()), 0.5, "low targets");
  edges const tiny = alone([](team const& t) { return sheaf::small_world(t, 3, 2, 1); });
  for (auto const& each : tiny) EXPECT_TRUE(each.source != each.target && each.target < 3);
}

// --- Meshes -----------------------------------------------------------------------------------------------------

TEST(meshes, join_cells_that_share_a_face) {
  EXPECT_EQ(alone([](team const& t) { return sheaf::mesh_2d(t, 3, 2); }),
            (edges{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}));
  EXPECT_EQ(alone([](team const& t) { return sheaf::mesh_2d(t, 0, 5); }), edges{});
  EXPECT_EQ(alone([](team const& t) { return sheaf::mesh_2d(t, 1, 1); }), edges{});
  edges const all = alone([](team const& t) { return sheaf::mesh_3d(t, 3, 4, 5); });
  EXPECT_EQ(all.size(), 2u * 4 * 5 + 3 * 3 * 5 + 3 * 4 * 4);
  for (auto const& each : all) {
    id const low = each.source, high = each.target;
    id const apart = high % 3 - low % 3 + high / 3 % 4 - low / 3 % 4 + high / 12 - low / 12;
    EXPECT_EQ(apart, 1u) << low << " " << high;
    EXPECT_LT(low, high);
  }
  EXPECT_EQ(serial::simple(all, false).size(), all.size());
}

TEST(transport_sweep, follows_the_direction_and_has_no_cycle_if_nothing_is_askew) {
  edges const mesh = alone([](team const& t) { return sheaf::mesh_3d(t, 4, 3, 5); });
  for (unsigned octant = 0; octant < 8; ++octant) {
    sweep_mesh const how{4, 3, 5, {octant & 1U ? -1. : 1., octant & 2U ? -2. : 2., octant & 4U ? -0.1 : 0.}};
    edges const sweep = alone([&](team const& t) { return sheaf::transport_sweep(t, how); });
    ASSERT_EQ(sweep.size(), mesh.size());
    for (std::size_t i = 0; i < mesh.size(); ++i) {
      id const stride = mesh[i].target - mesh[i].source;
      bool const back = how.direction[stride == 1 ? 0 : stride == 4 ? 1 : 2] < 0;
      EXPECT_EQ(sweep[i], (back ? edge<>{mesh[i].target, mesh[i].source} : mesh[i]));
    }
    EXPECT_EQ(serial::groups_of_several(serial::strong_components(serial::rows_of(sweep, 60, true))), 0u);
  }
}

/// Of normals (1, 0, 0) + amount·r, r uniform, and the direction (1, 0, 0), a share of (1 − 1/amount)/2 points back.
TEST(transport_sweep, turns_the_share_of_faces_that_probability_says) {
  sweep_mesh const how{.nx = 50001, .ny = 2, .direction = {1, 0, 0}, .amount = 2.5};
  edges const sweep = alone([&](team const& t) { return sheaf::transport_sweep(t, how); });
  std::uint64_t back = 0, across = 0;
  for (auto const& each : sweep) {
    if (each.source == each.target + 1) ++back;
    if (each.source == each.target + 50001) ++across;
  }
  expect_share(back, 100000, 0.3, "faces along the direction");
  expect_share(across, 50001, 0.5, "faces beside the direction");
}

TEST(transport_sweep, has_the_meshes_of_armi) {
  std::vector<id> groups;
  for (sweep_mesh const& mesh : sheaf::armi_meshes()) {
    edges const sweep = alone([&](team const& t) { return sheaf::transport_sweep(t, mesh); });
    EXPECT_EQ(mesh.vertices(), 10164u);
    EXPECT_EQ(sweep.size(), 29084u);
    auto const rows = serial::rows_of(sweep, mesh.vertices(), true);
    groups.push_back(serial::groups_of_several(serial::strong_components(rows)));
  }
  EXPECT_EQ(groups, (std::vector<id>{17, 18, 31, 32, 42, 40, 47, 37, 8, 66}));
  EXPECT_EQ(std::accumulate(groups.begin(), groups.end(), id{0}), 338u);
}

// --- Weights ----------------------------------------------------------------------------------------------------

TEST(random_weights, are_of_pairs_of_ends_in_either_order) {
  edges const ends{{1, 2}, {2, 1}, {1, 2}, {2, 3}, {5, 5}, {2, 2}};
  auto const found = sheaf::with_random_weights<std::uint64_t>(ends, 7, 0, ~0ULL);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(found[i].source, ends[i].source);
    EXPECT_EQ(found[i].target, ends[i].target);
  }
  EXPECT_EQ(found[0].value, found[1].value);
  EXPECT_EQ(found[0].value, found[2].value);
  EXPECT_EQ((std::set<std::uint64_t>{found[0].value, found[3].value, found[4].value, found[5].value}).size(), 4u);
  EXPECT_NE(sheaf::with_random_weights<std::uint64_t>(ends, 8, 0, ~0ULL)[0].value, found[0].value);
}

TEST(random_weights, are_uniform_and_within_their_bounds) {
  edges const mesh = alone([](team const& t) { return sheaf::mesh_2d(t, 200, 200); });
  double const n = static_cast<double>(mesh.size());
  std::map<int, std::uint64_t> count;
  for (auto const& each : sheaf::with_random_weights<int>(mesh, 7, 1, 255)) ++count[each.value];
  EXPECT_EQ(count.size(), 255u);
  EXPECT_EQ(count.begin()->first, 1);
  EXPECT_EQ(count.rbegin()->first, 255);
  for (auto const& [value, found] : count) expect_share(found, n, 1.0 / 255, "weight " + std::to_string(value));

  std::map<int, std::uint64_t> tenths;
  for (auto const& each : sheaf::with_random_weights<float>(mesh, 7, 0, 1)) {
    EXPECT_TRUE(each.value >= 0 && each.value < 1);
    ++tenths[static_cast<int>(each.value * 10)];
  }
  EXPECT_EQ(tenths.size(), 10u);
  for (auto const& [tenth, found] : tenths) expect_share(found, n, 0.1, "tenth " + std::to_string(tenth));

  for (auto const& each : sheaf::with_random_weights<std::int8_t>(mesh, 7, -2, 1))
    EXPECT_LE(std::abs(2 * each.value + 1), 3);
  float const above = std::nextafter(1e8F, 2e8F);  // sums round to the upper bound
  for (auto const& each : sheaf::with_random_weights<float>(mesh, 7, 1e8F, above)) EXPECT_EQ(each.value, 1e8F);
  EXPECT_EQ(sheaf::with_random_weights<double>(mesh, 7, 2.5, 2.5)[0].value, 2.5);
}

TEST_P(generators, give_graphs_with_weights) {
  run(3, [](team const& world) {
    auto const weighted = sheaf::with_random_weights<int>(sheaf::kronecker(world, 6), 1, 1, 255);
    auto const g = sheaf::build_graph(world, weighted, {.directed = false, .vertices = 64});
    auto const plain = sheaf::build_graph(world, sheaf::kronecker(world, 6), {.directed = false, .vertices = 64});
    EXPECT_EQ(g.vertices(), 64u);
    EXPECT_EQ(g.edges(), plain.edges());
  });
}

}  // namespace
