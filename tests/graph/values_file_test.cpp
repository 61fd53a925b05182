// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/values_file.hpp"

#include "graph/graph_files.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf::values_format;
using sheaf_test::content_of;
using sheaf_test::expect_in;
using sheaf_test::image_of;
using sheaf_test::text_of;

class values_files : public sheaf_test::over {
 protected:
  template <class T>
  using pairs = std::vector<std::pair<std::uint64_t, T>>;

  template <class T>
  static std::string written(unsigned members, values_format format, pairs<T> const& all) {
    sheaf_test::file const to(".values", "before");
    run(members, [&](team const& world) {
      pairs<T> mine;
      for (std::size_t k = world.rank(); k < all.size(); k += world.size()) mine.push_back(all[k]);
      sheaf::write_values(world, to.path, format, mine);
    });
    return content_of(to.path);
  }
  static std::string numpy(std::string const& type, std::string const& count, std::string const& data) {
    std::string words = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + count + ",), }";
    words.resize(117, ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + words + "\n" + data;
  }
};
SHEAF_OVER_ALL(values_files);

TEST_P(values_files, are_in_the_order_of_ids) {
  pairs<double> const all = {{3, 0.5}, {0, -1}, {4, 1e300}, {1, 0.1}, {2, 7}};
  for (unsigned const members : {1U, 2U, 3U, 4U, 7U}) {
    EXPECT_EQ(written(members, values_format::tsv, all), "0\t-1\n1\t0.1\n2\t7\n3\t0.5\n4\t1e+300\n");
    EXPECT_EQ(written(members, values_format::matrix_market, all),
              "%%MatrixMarket matrix array real general\n5 1\n-1\n0.1\n7\n0.5\n1e+300\n");
    EXPECT_EQ(written(members, values_format::numpy, all), numpy("<f8", "5", image_of(-1.0, 0.1, 7.0, 0.5, 1e300)));
    EXPECT_EQ(written(members, values_format::numpy, pairs<double>{}), numpy("<f8", "0", ""));
    EXPECT_EQ(written(members, values_format::tsv, pairs<int>{}), "");
  }
}

TEST_P(values_files, are_compressed_where_their_names_say_so) {
  if (!sheaf_test::has_zlib) return;
  sheaf_test::file const to(".tsv.gz", "before");
  constexpr std::uint64_t n = 100'000;
  run(3, [&](team const& world) {
    pairs<std::uint64_t> mine;
    for (std::uint64_t id = world.rank(); id < n; id += world.size()) mine.emplace_back(id, id * id);
    sheaf::write_values(world, to.path, values_format::tsv, mine);
    // Lines of two numbers are edges, too.
    auto const read = sheaf::read_edges<sheaf::no_value>(world, to.path, sheaf::graph_format::edge_list);
    for (auto const& each : read.edges) EXPECT_EQ(each.target, each.source * each.source);
    EXPECT_EQ(sheaf::all_reduce(world, read.edges.size(), std::plus<>{}), n);
  });
  EXPECT_TRUE(content_of(to.path).starts_with("\x1f\x8b"));
}

TEST_P(values_files, have_numbers_of_any_type) {
  EXPECT_EQ(written(2, values_format::numpy, pairs<std::uint8_t>{{1, 7}, {0, 255}}), numpy("|u1", "2", "\xFF\x07"));
  EXPECT_EQ(written(2, values_format::numpy, pairs<short>{{1, 7}, {0, -2}}),
            numpy("<i2", "2", image_of(short{-2}, short{7})));
  EXPECT_EQ(written(2, values_format::numpy, pairs<float>{{0, 0.25F}}), numpy("<f4", "1", image_of(0.25F)));
  EXPECT_EQ(written(2, values_format::numpy, pairs<std::uint64_t>{{0, ~0ULL}}), numpy("<u8", "1", image_of(~0ULL)));
  EXPECT_EQ(written(2, values_format::matrix_market, pairs<std::int64_t>{{0, -5}}),
            "%%MatrixMarket matrix array integer general\n1 1\n-5\n");
  EXPECT_EQ(written(2, values_format::tsv, pairs<float>{{0, 0.1F}}), "0\t0.1\n");
}

TEST_P(values_files, of_any_ids_are_lists_as_given) {
  pairs<int> const all = {{7, 1}, {1ULL << 60U, 2}, {0, 3}}, twice = {{0, 1}, {0, 2}, {2, 3}};
  EXPECT_EQ(written(1, values_format::tsv, all), "7\t1\n1152921504606846976\t2\n0\t3\n");
  EXPECT_EQ(written(2, values_format::tsv, all), "7\t1\n0\t3\n1152921504606846976\t2\n");
  EXPECT_EQ(written(1, values_format::tsv, twice), "0\t1\n0\t2\n2\t3\n");
  for (auto const& wrong : {all, twice, pairs<int>{{1, 1}}}) {
    for (auto const format : {values_format::matrix_market, values_format::numpy}) {
      auto const expect_refused = [&](team const& world) {
        pairs<int> const mine = world.rank() + 1 == world.size() ? wrong : pairs<int>{};
        expect_in("its format needs ids 0 to n-1, each once",
                  text_of<sheaf::usage_error>([&] { sheaf::write_values(world, "/tmp/x", format, mine); }));
      };
      for (unsigned const members : {1U, 3U}) run(members, expect_refused);
    }
  }
}

}  // namespace
