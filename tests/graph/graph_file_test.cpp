// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "rmi/jobs.hpp"

namespace {

using sheaf::edge;
using sheaf::graph_format;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class graph_files : public sheaf_test::over {};
SHEAF_OVER_ALL(graph_files);

/// A file that goes with this object.
class file {
 public:
  file(std::string const& ending, std::string const& content)
      : path((std::filesystem::temp_directory_path() / ("sheaf" + std::to_string(::getpid()) + ending)).string()) {
    std::ofstream(path, std::ios::binary) << content;
  }
  ~file() { std::filesystem::remove(path); }
  file& operator=(file&&) = delete;

  std::string const path;
};

template <class E>
std::vector<std::tuple<std::uint64_t, std::uint64_t, double>> all_of(team const& world,
                                                                     std::vector<edge<E>> const& mine) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, double>> own, all;
  for (auto const& each : mine) {
    if constexpr (std::is_arithmetic_v<E>) {
      own.emplace_back(each.source, each.target, static_cast<double>(each.value));
    } else {
      own.emplace_back(each.source, each.target, 0);
    }
  }
  for (auto const& part : sheaf::all_gather(world, own)) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  return all;
}

TEST_P(graph_files, edge_lists_are_read_whole_wherever_lines_end) {
  for (std::string const end : {"\n", "\r\n"}) {
    std::string text = "# a comment" + end + end + "% another" + end;
    std::vector<std::tuple<std::uint64_t, std::uint64_t, double>> expected, without;
    for (std::uint64_t i = 0; i < 40; ++i) {
      std::uint64_t const to = i * i * i * 1'000'000'007 % 100'000'000'000;
      text += (i % 3 == 0 ? " " : "") + std::to_string(i) + (i % 2 == 0 ? "\t" : ", ") + std::to_string(to);
      text += i % 4 == 0 ? end : " " + std::to_string(i) + ".5" + end;
      expected.emplace_back(i, to, i % 4 == 0 ? 1 : static_cast<double>(i) + 0.5);
      without.emplace_back(i, to, 0);
    }
    text += "18446744073709551615 0";  // the last line has no end
    expected.emplace_back(18446744073709551615U, 0, 1);
    without.emplace_back(18446744073709551615U, 0, 0);
    file const list(".txt", text);
    for (unsigned const members : {1U, 2U, 3U, 4U, 7U, 200U}) {
      run(members, [&](team const& world) {
        EXPECT_EQ(all_of(world, sheaf::read_edges<double>(world, list.path).edges), expected);
        EXPECT_EQ(all_of(world, sheaf::read_edges(world, list.path).edges), without);
      });
    }
  }
}

TEST_P(graph_files, matrices_are_read_as_their_heads_say) {
  file const one(".mtx",
                 "%%MatrixMarket matrix coordinate integer symmetric\n% by hand\n\n4 4 3\n1 2 7\n4 3 -2\n2 2 1\n");
  file const two(".m", "%%MatrixMarket MATRIX Coordinate Pattern General\n3 3 2\n3 1\n1 3\n\n% end\n");
  for (unsigned const members : {1U, 2U, 3U, 7U}) {
    run(members, [&](team const& world) {
      auto const first = sheaf::read_edges<int>(world, one.path);
      EXPECT_FALSE(first.directed);
      EXPECT_EQ(first.vertices, 4u);
      EXPECT_EQ(all_of(world, first.edges),
                (std::vector<std::tuple<std::uint64_t, std::uint64_t, double>>{{0, 1, 7}, {1, 1, 1}, {3, 2, -2}}));
      auto const second = sheaf::read_edges<int>(world, two.path);
      EXPECT_TRUE(second.directed);
      EXPECT_EQ(all_of(world, second.edges),
                (std::vector<std::tuple<std::uint64_t, std::uint64_t, double>>{{0, 2, 1}, {2, 0, 1}}));
    });
  }
}

TEST_P(graph_files, that_are_wrong_are_told_by_line_on_all_members) {
  struct {
    char const* content;
    char const* text;
  } const cases[] = {
      {"0 1\n1 2\nx 3\n4 y\n", ":3: expected the id of a vertex, a number of 0 to 2^64 - 1, found 'x'"},
      {"0 1\n1\n", ":2: expected two ids, found '1'"},
      {"0 1\n1 -2\n", ":2: expected two ids"},
      {"0 99999999999999999999\n", ":1: expected two ids"},
      {"0 1 3\n0 1 3.5\n", ":2: '3.5' is no value of an edge"},
      {"%%MatrixMarket matrix array real general\n2 2\n", ":1: expected '%%MatrixMarket matrix coordinate'"},
      {"%%MatrixMarket matrix coordinate real general\n", ":2: expected a line of rows"},
      {"%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 1\n", ":2: a graph is a square matrix"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 3 1\n", ":3: entry (1, 3) is outside of 1 to 2"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 0 1\n", ":3: entry (1, 0) is outside of 1 to 2"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2\n", ":3: the value is missing"},
      {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 3\n", ":3: a pattern has no values"},
      {"%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n", "promises 3 entries, but there are 1"},
  };
  for (auto const& each : cases) {
    file const wrong(".txt", each.content);
    run(3, [&](team const& world) {
      expect_in(each.text, text_of<sheaf::graph_file_error>([&] { sheaf::read_edges<int>(world, wrong.path); }));
    });
  }
  run(2, [](team const& world) {
    expect_in("/nowhere: cannot open: No such file",
              text_of<sheaf::graph_file_error>([&] { sheaf::read_edges(world, "/nowhere"); }));
    expect_in("/tmp: is no regular file", text_of<sheaf::graph_file_error>([&] { sheaf::read_edges(world, "/tmp"); }));
  });
}

}  // namespace
