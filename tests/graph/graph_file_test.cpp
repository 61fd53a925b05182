// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_file.hpp"

#include "graph/graph_files.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::graph_format;
using sheaf::team;
using sheaf_test::all_of;
using sheaf_test::entries;
using sheaf_test::expect_in;
using sheaf_test::file;
using sheaf_test::gap_image;
using sheaf_test::gzipped;
using sheaf_test::image_of;
using sheaf_test::text_of;
using sheaf_test::without_values;

class graph_files : public sheaf_test::over {
 protected:
  static bool is_unreadable(file const& one) {
    return !sheaf_test::has_zlib && sheaf_test::content_of(one.path).starts_with("\x1f\x8b");
  }
  /// Whether all members together read these edges, with and without values.
  template <class E = double>
  static void expect_read(file const& from, entries const& expected, bool directed, std::optional<std::uint64_t> n,
                          graph_format format = graph_format::automatic) {
    if (is_unreadable(from)) return expect_refused(from, "was built without zlib; build it with zlib1g-dev installed");
    for (unsigned const members : {1U, 2U, 3U, 4U, 7U}) {
      run(members, [&](team const& world) {
        auto const all = sheaf::read_edges<E>(world, from.path, format);
        EXPECT_EQ(all_of(world, all.edges), expected) << from.path << ", members: " << members;
        EXPECT_EQ(all.directed, directed);
        EXPECT_EQ(all.vertices, n);
        EXPECT_EQ(all_of(world, sheaf::read_edges(world, from.path, format).edges), without_values(expected));
      });
    }
  }
  /// That all of three members throw a text with this part, and that the simulator does not end before.
  template <class E = int>
  static void expect_refused(file const& wrong, std::string const& part,
                             graph_format format = graph_format::automatic) {
    std::string const text = is_unreadable(wrong) ? "zlib" : part;
    run(3, [&](team const& world) {
      expect_in(text.c_str(),
                text_of<sheaf::graph_file_error>([&] { sheaf::read_edges<E>(world, wrong.path, format); }));
    });
  }
};
SHEAF_OVER_ALL(graph_files);

TEST_P(graph_files, edge_lists_are_read_whole_wherever_lines_end) {
  for (std::string const end : {"\n", "\r\n"}) {
    std::string text = "# a comment" + end + end + "% another" + end;
    entries expected;
    for (std::uint64_t i = 0; i < 40; ++i) {
      std::uint64_t const to = i * i * i * 1'000'000'007 % 100'000'000'000;
      text += (i % 3 == 0 ? " " : "") + std::to_string(i) + (i % 2 == 0 ? "\t" : ", ") + std::to_string(to);
      text += i % 4 == 0 ? end : " " + std::to_string(i) + ".5" + end;
      expected.emplace_back(i, to, i % 4 == 0 ? 1 : static_cast<double>(i) + 0.5);
    }
    text += "18446744073709551615 0";  // the last line has no end
    expected.emplace_back(18446744073709551615U, 0, 1);
    file const list(".txt", text), packed(".txt.gz", gzipped(text));
    expect_read(list, expected, true, {});
    expect_read(packed, expected, true, {});
    run(200, [&](team const& world) {
      EXPECT_EQ(all_of(world, sheaf::read_edges<double>(world, list.path).edges), expected);
    });
  }
}

TEST_P(graph_files, of_any_size_have_each_line_once) {
  std::string text;
  entries expected;
  for (std::uint64_t lines = 0; lines < 12; ++lines) {
    for (char const* const end : {"", "\n"}) {
      file const list(".el", text + end);
      expect_read(list, expected, true, {});
    }
    text += (lines == 0 ? "" : "\n") + std::to_string(lines * lines * lines) + " 7";
    expected.emplace_back(lines * lines * lines, 7, 1);
  }
  std::string const page(4096 - 3, ' ');  // nothing may be read behind the file: no memory is there
  expect_read(file(".el", page + "1 2"), {{1, 2, 1}}, true, {});
  expect_read(file(".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n" + page.substr(55) + "1 2"),
              {{0, 1, 1}}, true, 3);
  std::string const comment = "#" + std::string(200'000, '0') + "\n";  // more than a block of a compressed file
  std::string const spread = "1" + std::string(300'000, ' ') + "2 4\n";
  for (auto const& each : {comment + "1 2 4", "1 2 4\n" + comment, spread}) {
    expect_read(file(".el", each), {{1, 2, 4}}, true, {});
    expect_read(file(".el.gz", gzipped(each)), {{1, 2, 4}}, true, {});
  }
}

TEST_P(graph_files, that_are_compressed_are_read_in_many_blocks) {
  std::string text, body;
  entries expected;
  for (std::uint64_t i = 0; i < 30'000; ++i) {
    text += std::to_string(i * 12345 % 70'001) + "\t" + std::to_string(i) + "\n";
    expected.emplace_back(i * 12345 % 70'001, i, 1);
  }
  std::ranges::sort(expected);
  expect_read(file(".el.gz", gzipped(text)), expected, true, {});
  std::size_t const half = text.size() / 2;  // two compressed files, one after the other
  expect_read(file(".el.gz", gzipped(text.substr(0, half)) + gzipped(text.substr(half))), expected, true, {});
  std::string const packed = gzipped(text);
  expect_refused(file(".el.gz", packed.substr(0, packed.size() / 2)), ": the compressed data end too early");
  expect_refused(file(".el.gz", packed + "more"), ":30001: ");
  expect_refused(file(".el.gz", gzipped(text + "1 x\n" + text)), ":30001: expected two ids, found '1 x'");
}

TEST_P(graph_files, matrices_are_read_as_their_heads_say) {
  std::string const one =
      "%%MatrixMarket matrix coordinate integer symmetric\n% by hand\n\n4 4 3\n1 2 7\n4 3 -2\n2 2 1\n";
  std::string const two = "%%MatrixMarket MATRIX Coordinate Pattern General\r\n3 3 2\r\n3 1\r\n1 3\r\n\r\n% end";
  std::string const three = "%%MatrixMarket matrix coordinate real general\n9 9 2\n3 1 +1e-3\n9 9 -0.5\n";
  for (bool const packed : {false, true}) {
    auto const as = [&](std::string const& text) { return packed ? gzipped(text) : text; };
    expect_read(file(packed ? ".mtx.gz" : ".mtx", as(one)), {{0, 1, 7}, {1, 1, 1}, {3, 2, -2}}, false, 4);
    expect_read(file(".m", as(two)), {{0, 2, 1}, {2, 0, 1}}, true, 3);
    expect_read(file(".m", as(three)), {{2, 0, 1e-3}, {8, 8, -0.5}}, true, 9);
  }
}

TEST_P(graph_files, of_metis_give_each_edge_once) {
  std::string const plain = "% four vertices, of which one is alone\n4 3\n2 4\n%\n1 4\n\n2 1\n";
  expect_read(file(".graph", plain), {{0, 1, 1}, {0, 3, 1}, {1, 3, 1}}, false, 4);
  std::string const ring = "5 5 001\r\n5 8 2 3\r\n1 3 3 4\r\n2 4 4 5\r\n3 5 5 6\r\n4 6 1 8\r\n\r\n";
  entries const weights = {{0, 1, 3}, {0, 4, 8}, {1, 2, 4}, {2, 3, 5}, {3, 4, 6}};
  expect_read(file(".metis", ring), weights, false, 5);
  expect_read(file(".metis.gz", gzipped(ring)), weights, false, 5);
  std::string const all = "3 2 111 2\n100 7 7 2 5\n100 7 7 1 5 3 -9\n100 8 8 2 -9";
  expect_read(file(".txt", all), {{0, 1, 5}, {1, 2, -9}}, false, 3, graph_format::metis);
  expect_read(file(".graph", "2 2 1\n1 7 2 3\n1 3\n"), {{0, 0, 7}, {0, 1, 3}}, false, 2);
  expect_read(file(".graph", "0 0\n"), {}, false, 0);

  std::string large = "3000 2999\n";  // a star, whose middle has a long line
  entries star;
  for (std::uint64_t v = 2; v <= 3000; ++v) {
    large += std::to_string(v) + (v == 3000 ? "\n" : " ");
    star.emplace_back(0, v - 1, 1);
  }
  for (std::uint64_t v = 2; v <= 3000; ++v) large += "1\n";
  expect_read(file(".graph", large), star, false, 3000);
  expect_read(file(".graph.gz", gzipped(large)), star, false, 3000);

  std::string line = "20000 19999\n2\n";  // many lines in many blocks
  entries path{{0, 1, 1}};
  for (std::uint64_t v = 2; v < 20'000; ++v) {
    line += std::to_string(v - 1) + " " + std::to_string(v + 1) + "\n";
    path.emplace_back(v - 1, v, 1);
  }
  line += "19999\n";
  expect_read(file(".graph", line), path, false, 20'000);
  expect_read(file(".graph.gz", gzipped(line)), path, false, 20'000);
}

TEST_P(graph_files, of_graph500_are_read_packed_or_not) {
  std::string packed, plain;
  entries expected;
  for (std::uint64_t i = 0; i < 23; ++i) {
    std::uint64_t const source = i << 42U | i, target = (i * 0x123456789U) & 0x7FFFFFFFFFFFU;
    packed += image_of(static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target),
                       static_cast<std::uint32_t>((source >> 32U & 0xFFFFU) | target >> 32U << 16U));
    plain += image_of(source, target);
    expected.emplace_back(source, target, 1);
  }
  std::ranges::sort(expected);
  expect_read(file(".g500", packed), expected, true, {});
  expect_read(file(".bin", packed), expected, true, {}, graph_format::graph500);
  expect_read(file(".i64", plain), expected, true, {});
  expect_read(file(".i64", ""), {}, true, {});
}

TEST_P(graph_files, of_gap_are_read_with_and_without_weights) {
  std::vector<std::vector<std::int32_t>> const circle = {{1}, {2}, {}, {0, 0, 4}, {4}},
                                               tree = {{1, 2}, {0}, {0, 4}, {}, {2}};
  entries const arcs = {{0, 1, 1}, {1, 2, 12}, {3, 0, 30}, {3, 0, 30}, {3, 4, 34}, {4, 4, 44}};
  entries const edges = {{0, 1, 1}, {0, 2, 2}, {2, 4, 24}};
  auto const ones = [](entries all) {
    for (auto& each : all) std::get<2>(each) = 1;
    return all;
  };
  expect_read(file(".wsg", gap_image(true, circle, true)), arcs, true, 5);
  expect_read(file(".sg", gap_image(true, circle, false)), ones(arcs), true, 5);
  expect_read(file(".wsg", gap_image(false, tree, true)), edges, false, 5);
  expect_read(file(".sg", gap_image(false, tree, false)), ones(edges), false, 5);
  expect_read(file(".sg", gap_image(true, {}, false)), {}, true, 0);
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
      {"0 18446744073709551616\n", ":1: expected two ids"},
      {"0 1 3\n0 1 3.5\n", ":2: '3.5' is no value of an edge"},
      {"0 1 3\n0 1 99999999999\n", ":2: '99999999999' is no value of an edge"},
      {"0 1 +-3\n", ":1: '+-3' is no value of an edge"},
      {"%%MatrixMarket matrix array real general\n2 2\n", ":1: expected '%%MatrixMarket matrix coordinate'"},
      {"%%MatrixMarket matrix coordinate real general\n", ":2: expected a line of rows"},
      {"%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 1\n", ":2: a graph is a square matrix"},
      {"%%MatrixMarket matrix coordinate integer general\n2 x 1\n1 1 1\n", ":2: expected numbers of rows"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 3 1\n", ":3: entry (1, 3) is outside of 1 to 2"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 0 1\n", ":3: entry (1, 0) is outside of 1 to 2"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2\n", ":3: the value is missing in '1 2'"},
      {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 3\n", ":3: a pattern has no values, found '3'"},
      {"%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n", "promises 3 entries, but there are 1"},
  };
  for (auto const& each : cases) {
    expect_refused(file(".txt", each.content), each.text);
    expect_refused(file(".txt.gz", gzipped(each.content)), each.text);
  }
  run(2, [](team const& world) {
    expect_in("/nowhere: cannot open: No such file",
              text_of<sheaf::graph_file_error>([&] { sheaf::read_edges(world, "/nowhere"); }));
    expect_in("/tmp: is no regular file", text_of<sheaf::graph_file_error>([&] { sheaf::read_edges(world, "/tmp"); }));
  });
}

TEST_P(graph_files, of_metis_that_are_wrong_are_told) {
  struct {
    char const* content;
    char const* text;
  } const cases[] = {
      {"", ":1: expected the numbers of vertices and edges, found the end"},
      {"% a\n2\n", ":2: expected the numbers of vertices and edges, found '2'"},
      {"2 1 21\n2\n1\n", ":1: expected a format of up to three digits 0 and 1, found '21'"},
      {"2 1 10 x\n2\n1\n", ":1: expected how many weights a vertex has, found 'x'"},
      {"2 1\n2\n3\n", ":3: expected a neighbour of 1 to 2, found '3'"},
      {"2 1\n%\n2\n0\n", ":4: expected a neighbour of 1 to 2, found '0'"},
      {"2 1 1\n2 5\n1\n", ":3: the weight of the edge to 1 is missing"},
      {"2 1 11 2\n5 5 2 5\n5\n", ":3: expected 2 weights of the vertex, found '5'"},
      {"2 1\n2\n1\n\n1\n", ":5: expected no line after that of vertex 2, found '1'"},
      {"9223372036854775807 1\n2\n1\n", ": its head promises 9223372036854775807 vertices, but there are 2 lines"},
      {"3 2\n2\n3\n1\n", ": an edge must stand in the lines of both its ends"},
      {"3 3\n2\n1 3\n2\n", ": its head promises 3 edges, but there are 2"},
  };
  for (auto const& each : cases) {
    expect_refused(file(".graph", each.content), each.text);
    expect_refused(file(".graph.gz", gzipped(each.content)), each.text);
  }
}

TEST_P(graph_files, that_are_binary_and_wrong_are_told) {
  expect_refused(file(".g500", std::string(25, 'x')), ": has 25 bytes, but an edge takes 12");
  expect_refused(file(".i64", std::string(15, 'x')), ": has 15 bytes, but an edge takes 16");
  expect_refused(file(".i64", image_of(1LL, 2LL, 3LL, -4LL)),
                 ": edge 1 of 0 to 1: expected an id of 0 to 2^63 - 1, found -4");
  expect_refused(file(".g500", image_of(1U, 2U, 0x8000U)), "expected an id of 0 to 2^47 - 1, found -140737488355327");
  expect_refused(file(".g500.gz", "x"), ": only texts are read compressed");
  expect_refused(file(".sg", "x"), ": has 1 bytes, but its head takes 17");
  std::string const good = gap_image(false, {{1, 2}, {0}, {0}}, false);
  expect_refused(
      file(".sg", good + "x"),
      ": its head promises 3 vertices and 4 entries, which take 65 bytes, or 81 with weights, but it has 66");
  auto const with = [&](std::size_t at, auto number) {
    std::string wrong = good;
    return file(".sg", wrong.replace(at, sizeof number, image_of(number)));
  };
  expect_refused(with(0, 'x'), ": its first byte says whether it is directed, by 0 or 1, but is 120");
  expect_refused(with(9, std::int64_t{-1}), ": its head promises 18446744073709551615 vertices and 4 entries, but");
  expect_refused(with(17, 1LL), ": vertex 0: entries begin with 0, found 1");
  expect_refused(with(25, 4LL), ": vertex 1: entries end at 3, before they begin at 4");
  expect_refused(with(41, 5LL), ": vertex 3: offsets end with 5, not with the number of entries, 4");
  expect_refused(with(49, -7), ": vertex 0: expected a neighbour of 0 to 2, found -7");
  expect_refused(with(53, 1), ": is undirected, but some edges stand in one direction only");
  expect_refused<std::uint8_t>(file(".wsg", gap_image(true, {{300}, std::vector<std::int32_t>(0), {}}, true)),
                               "neighbour of 0 to 2, found 300");
  std::vector<std::vector<std::int32_t>> rows(30);
  rows[28] = {29};
  expect_refused<std::uint8_t>(file(".wsg", gap_image(true, rows, true)), ": vertex 28: '309' is no value of an edge");
}

}  // namespace
