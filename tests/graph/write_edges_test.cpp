// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/write_edges.hpp"

#include <random>

#include "graph/graph_files.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::edge;
using sheaf::edge_file;
using sheaf::graph_format;
using sheaf::team;
using sheaf_test::all_of;
using sheaf_test::content_of;
using sheaf_test::entries;
using sheaf_test::expect_in;
using sheaf_test::file;
using sheaf_test::gap_image;
using sheaf_test::image_of;
using sheaf_test::text_of;

class written_graph_files : public sheaf_test::over {
 protected:
  /// Writes these edges, dealt one by one, with any number of members; all make the same file but for its order.
  template <class E>
  static void expect_round(std::string const& ending, edge_file<E> const& all) {
    for (unsigned const members : {1U, 2U, 3U, 4U, 7U}) {
      run(members, [&](team const& world) {
        file const to(ending, "what was there before is gone, however long it is: " + std::string(5000, 'x'));
        sheaf::barrier(world);
        sheaf::write_edges(world, to.path, part_of(all, world));
        auto const found = sheaf::read_edges<E>(world, to.path);
        EXPECT_EQ(in_order(all_of(world, found.edges), all.directed), in_order(entries_of(all), all.directed))
            << ending;
        if (!ending.starts_with(".el") && ending != ".g500" && ending != ".i64") {
          EXPECT_EQ(found.directed, all.directed) << ending;
          EXPECT_EQ(found.vertices, all.vertices.value_or(largest(all) + 1)) << ending;
        }
        sheaf::barrier(world);
      });
    }
  }
  template <class E>
  static edge_file<E> part_of(edge_file<E> const& all, team const& world) {
    edge_file<E> mine{{}, all.directed, all.vertices};
    for (std::size_t k = world.rank(); k < all.edges.size(); k += world.size()) mine.edges.push_back(all.edges[k]);
    return mine;
  }
  template <class E>
  static entries entries_of(edge_file<E> const& all) {
    entries found;
    for (auto const& each : all.edges) {
      double value = 0;
      if constexpr (std::is_arithmetic_v<E>) value = static_cast<double>(each.value);
      found.emplace_back(each.source, each.target, value);
    }
    return found;
  }
  static entries in_order(entries all, bool directed) {
    for (auto& [source, target, value] : all) {
      if (!directed && target < source) std::swap(source, target);
    }
    std::ranges::sort(all);
    return all;
  }
  template <class E>
  static std::uint64_t largest(edge_file<E> const& all) {
    std::uint64_t found = 0;
    for (auto const& each : all.edges) found = std::max({found, each.source, each.target});
    return found;
  }
  template <class E>
  static edge_file<E> some(std::uint64_t count, std::uint64_t ids, bool directed) {
    std::mt19937_64 next(count);
    edge_file<E> all{{}, directed, {}};
    for (std::uint64_t k = 0; k < count; ++k) {
      edge<E> one{next() % ids, next() % ids, {}};
      if constexpr (std::is_floating_point_v<E>) {
        one.value = static_cast<E>(next() % 1000) / static_cast<E>(7) - 50;
      } else if constexpr (std::is_arithmetic_v<E>) {
        one.value = static_cast<E>(next());
      }
      all.edges.push_back(one);
    }
    return all;
  }
};
SHEAF_OVER_ALL(written_graph_files);

TEST_P(written_graph_files, are_read_back_equal) {
  for (std::uint64_t const count : {0U, 1U, 2U, 500U}) {
    for (bool const directed : {true, false}) {
      for (char const* const ending : {".el", ".mtx", ".g500", ".i64", ".sg"}) {
        if (count == 0 && ending == std::string(".mtx")) continue;  // n is 0 then, not the largest id and one more
        if (count == 0 && ending == std::string(".sg")) continue;
        expect_round(ending, some<sheaf::no_value>(count, 300, directed));
      }
      if (count == 0) continue;
      expect_round(".el", some<double>(count, 300, directed));
      expect_round(".mtx", some<float>(count, 300, directed));
      expect_round(".mtx", some<std::int8_t>(count, 300, directed));
      expect_round(".el", some<std::uint64_t>(count, ~std::uint64_t{0}, directed));
      expect_round(".i64", some<sheaf::no_value>(count, std::uint64_t{1} << 63U, directed));
      expect_round(".g500", some<sheaf::no_value>(count, std::uint64_t{1} << 47U, directed));
      expect_round(".wsg", some<std::int32_t>(count, 300, directed));
      if (!directed) {
        expect_round(".graph", some<sheaf::no_value>(count, 300, directed));
        expect_round(".metis", some<std::int16_t>(count, 300, directed));
      }
      if (!sheaf_test::has_zlib) continue;
      expect_round(".el.gz", some<std::int64_t>(count, 300, directed));
      expect_round(".mtx.gz", some<double>(count, 300, directed));
      if (!directed) expect_round(".graph.gz", some<std::uint8_t>(count, 300, directed));
    }
  }
  edge_file<> alone = some<sheaf::no_value>(10, 20, true);
  alone.vertices = 1000;
  for (char const* const ending : {".mtx", ".sg"}) expect_round(ending, alone);
}

TEST_P(written_graph_files, have_the_bytes_that_their_formats_say) {
  auto const written = [&](std::string const& ending, auto const& all) {
    file const to(ending, "");
    run(3, [&](team const& world) { sheaf::write_edges(world, to.path, part_of(all, world)); });
    return content_of(to.path);
  };
  edge_file<double> const values{{{5, 0, 0.1}, {1, 2, -3}, {3, 3, 1e100}}, false, 6};
  EXPECT_EQ(written(".txt", values), "5\t0\t0.1\n1\t2\t-3\n3\t3\t1e+100\n");
  EXPECT_EQ(written(".mtx", values),
            "%%MatrixMarket matrix coordinate real symmetric\n6 6 3\n6 1 0.1\n3 2 -3\n4 4 1e+100\n");
  edge_file<int> const weighted{{{3, 0, 5}, {1, 1, 6}, {3, 1, -7}}, false, 5};
  EXPECT_EQ(written(".metis", weighted), "5 3 001\n4 5\n2 6 4 -7\n\n1 5 2 -7\n\n");
  edge_file<> const plain{{{1, 0x123456789ABC}, {7, 8}}, true, {}};
  EXPECT_EQ(written(".g500", plain), image_of(1U, 0x56789ABCU, 0x12340000U, 7U, 8U, 0U));
  EXPECT_EQ(written(".i64", plain), image_of(1LL, 0x123456789ABCLL, 7LL, 8LL));
  edge_file<std::int32_t> const tree{{{2, 0, 20}, {1, 0, 10}}, false, {}};
  EXPECT_EQ(written(".sg", tree), gap_image(false, {{1, 2}, {0}, {0}}, false));
  edge_file<> const two_ways{{{2, 3}, {2, 0}, {2, 5}}, false, 6};  // a row of own vertices and others
  EXPECT_EQ(written(".sg", two_ways), gap_image(false, {{2}, {}, {0, 3, 5}, {2}, {}, {2}}, false));
  edge_file<std::int16_t> const arcs{{{0, 2, 2}, {0, 1, 1}, {2, 1, 21}}, true, {}};
  EXPECT_EQ(written(".wsg", arcs),
            image_of(true, 3LL, 3LL, 0LL, 2LL, 2LL, 3LL, 1, 1, 2, 2, 1, 21, 0LL, 0LL, 2LL, 3LL, 0, 1, 2, 21, 0, 2));
}

TEST_P(written_graph_files, that_cannot_be_are_refused_on_all_members) {
  struct {
    char const* path;
    edge_file<double> all;
    char const* text;
  } const cases[] = {
      {"/tmp/x.graph", {{}}, "/tmp/x.graph: METIS has undirected graphs only"},
      {"/tmp/x.graph", {{}, false}, "METIS has integral weights only"},
      {"/tmp/x.sg.gz", {{}}, "/tmp/x.sg.gz: only texts are compressed"},
      {"/tmp/x.g500", {{{1, 2}, {1ULL << 47U, 0}}}, "ids of 0 to 140737488355327, but there is 140737488355328"},
      {"/tmp/x.mtx", {{{~0ULL, 2}}}, "but there is 18446744073709551615"},
      {"/tmp/x.mtx", {{{1, 10}}, true, 10}, "an edge of vertex 10, but there are 10 vertices"},
      {"/tmp/x.sg", {{{1, 1ULL << 31U}}}, "ids of 0 to 2147483647, but there is 2147483648"},
      {"/tmp/x.wsg", {{{1, 2, 3}, {1, 2, 0.5}}}, "weights of 32 bits, integers, but there is 0.5"},
  };
  for (auto const& each : cases) {
    run(3, [&](team const& world) {
      auto const part = part_of(each.all, world);
      expect_in(each.text, text_of<sheaf::usage_error>([&] { sheaf::write_edges(world, each.path, part); }));
    });
    EXPECT_FALSE(std::filesystem::exists(each.path));
  }
  run(3, [](team const& world) {
    expect_in("/nowhere/x: cannot write: No such file",
              text_of<sheaf::graph_file_error>([&] { sheaf::write_edges(world, "/nowhere/x", edge_file<>{}); }));
    expect_in("/dev/full: cannot write: No space left", text_of<sheaf::graph_file_error>([&] {
                sheaf::write_edges(world, "/dev/full", edge_file<>{{{world.rank(), 1}}});
              }));
  });
}

}  // namespace
