// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_command.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "tools/launchers.hpp"
#include "tools/shell.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using namespace sheaf::test;

/// A ring of 50 vertices, and a chord.
std::string ring() {
  std::string text = "# ring\n";
  for (int i = 0; i < 50; ++i) text += std::to_string(i) + " " + std::to_string((i + 1) % 50) + "\n";
  return text + "0 25\n";
}

std::string levels_of_ring() {
  std::string text;
  for (int i = 0; i < 50; ++i) {
    int const around = std::min(i, 50 - i), by_chord = 1 + std::abs(i - 25);
    text += std::to_string(i) + "\t" + std::to_string(std::min(around, by_chord)) + "\n";
  }
  return text;
}

TEST(graph_command, bfs_gives_the_same_file_and_summary_however_it_runs) {
  temporary_folder const folder;
  std::string const file = folder.write("ring.txt", ring()), out = folder / "levels";
  std::vector<std::string> before{"SHEAF_LOCATIONS=1", "SHEAF_LOCATIONS=3", "SHEAF_LOCATIONS=7 SHEAF_TRANSPORT=sim"};
  for (std::string const& mpi : mpis())
    before.push_back((mpi == "openmpi" ? "mpirun.openmpi --oversubscribe" : "mpiexec.mpich") + std::string(" -n 3"));
  for (std::string const& how : before) {
    for (std::string const distribution : {"block", "cyclic"}) {
      shell_result const result = sheaf_tool(
          "graph bfs --undirected --root 0 --verify --distribution " + distribution + " -o " + out + " " + file, how);
      EXPECT_EQ(result.code, 0) << result.text;
      EXPECT_TRUE(result.says("vertices              50\n")) << result.text;
      EXPECT_TRUE(result.says("edges                 51\n")) << result.text;
      EXPECT_TRUE(result.says("depth                     13\n")) << result.text;
      EXPECT_TRUE(result.says("verified                  yes")) << result.text;
      EXPECT_EQ(read_file(out), levels_of_ring());
    }
  }
}

/// Two triangles that share vertex 2, of which one is a circle; an edge apart; with values.
constexpr char const* small = "0 1 2\n1 2 2\n2 0 1\n2 3 5\n4 3 1\n2 4 1\n5 6 1\n";

TEST(graph_command, every_action_tells_its_result_however_it_runs) {
  temporary_folder const folder;
  std::string const file = folder.write("small.txt", small), out = folder / "result";
  struct {
    char const* words;
    std::vector<std::string> says;
    char const* result;
  } const cases[] = {
      {"info", {"vertices              7\n", "edges                 7\n", "largest degree        3\n"}, ""},
      {"cc --verify",
       {"components  2\n", "largest     5\n", "  5         0 1 2 3 4\n  2         5 6\n"},
       "0\t0\n1\t0\n2\t0\n3\t0\n4\t0\n5\t5\n6\t5\n"},
      {"cc --verify --form messages", {"components  2\n"}, "0\t0\n1\t0\n2\t0\n3\t0\n4\t0\n5\t5\n6\t5\n"},
      {"scc --verify", {"components  5\n", "largest     3\n"}, "0\t0\n1\t0\n2\t0\n3\t3\n4\t4\n5\t5\n6\t6\n"},
      {"scc --form pivots --verify", {"components  5\n"}, "0\t0\n1\t0\n2\t0\n3\t3\n4\t4\n5\t5\n6\t6\n"},
      {"sssp --root 1 --verify", {"reached   5\n", "farthest  4\n"}, "0\t3\n1\t0\n2\t2\n3\t4\n4\t3\n5\t-1\n6\t-1\n"},
      {"sssp --root 1 --form messages", {"farthest  4\n"}, "0\t3\n1\t0\n2\t2\n3\t4\n4\t3\n5\t-1\n6\t-1\n"},
      {"triangles --verify", {" 2\n", "verified"}, ""},
      {"kcore --verify", {"largest core  2\n"}, "0\t2\n1\t2\n2\t2\n3\t2\n4\t2\n5\t1\n6\t1\n"},
      {"bc --sources 7 --verify",
       {" 7\n", "verified", "vertex  value\n  2       5\n"},
       "0\t1\n1\t3\n2\t5\n3\t0\n4\t0\n5\t0\n6\t0\n"},
      {"mst --verify", {" 2\n", " 5\n", " 6\n", "verified"}, ""},
      {"color --verify", {" 3\n", "verified"}, ""},
      {"chain --verify", {"components  3\n", "verified", "0      0\n  1      4\n  2      3\n"}, ""},
      {"pagerank --verify", {"verified     yes", "vertex  value\n  3       "}, ""},
  };
  for (char const* how : {"SHEAF_LOCATIONS=1", "SHEAF_LOCATIONS=3", "SHEAF_LOCATIONS=8"}) {
    for (auto const& each : cases) {
      std::string const output = *each.result == 0 ? "" : " -o " + out;
      shell_result const result = sheaf_tool("graph " + std::string(each.words) + " " + file + output, how);
      EXPECT_EQ(result.code, 0) << each.words << result.text;
      for (std::string const& text : each.says) EXPECT_TRUE(result.says(text)) << each.words << result.text;
      if (*each.result == 0) continue;
      EXPECT_EQ(read_file(out), each.result) << each.words;
    }
  }
}

/// Loops and parallel edges count, as Graph500 has it; vertices with no edge but a loop are no roots.
TEST(graph_command, edges_traversed_per_second_count_what_the_file_has) {
  temporary_folder const folder;
  std::string const file = folder.write("many.txt", "0 1\n1 0\n0 1\n2 2\n1 1\n1 2\n3 4\n5 5\n");
  for (char const* how : {"SHEAF_LOCATIONS=1", "SHEAF_LOCATIONS=3", "SHEAF_LOCATIONS=8"}) {
    for (char const* distribution : {"block", "cyclic", "hash", "degree"}) {
      std::string const words = std::string(" --searches 64 --verify --distribution ") + distribution + " " + file;
      for (char const* action : {"bfs", "sssp"}) {
        shell_result const result = sheaf_tool("graph " + std::string(action) + " --undirected" + words, how);
        EXPECT_EQ(result.code, 0) << result.text;
        EXPECT_TRUE(result.says("searches       5\n") && result.says("most edges     6\n")) << action << result.text;
      }
      shell_result const directed = sheaf_tool("graph bfs --json --directed" + words, how);
      EXPECT_TRUE(directed.says("\"searches\": 3, \"most edges\": 6, \"harmonic mean\": ")) << directed.text;
    }
  }
}

TEST(graph_command, generates_the_same_graph_on_any_number_of_locations) {
  temporary_folder const folder;
  for (char const* kind : {"kron", "random", "small-world", "mesh2d", "mesh3d", "sweep"}) {
    std::string const words = "graph generate " + std::string(kind) + " --scale 7 --degree 4 --seed 3 ";
    EXPECT_EQ(sheaf_tool(words + (folder / "one"), "SHEAF_LOCATIONS=1").code, 0);
    EXPECT_EQ(sheaf_tool(words + (folder / "five"), "SHEAF_LOCATIONS=5").code, 0);
    EXPECT_EQ(read_file(folder / "one"), read_file(folder / "five")) << kind;
    shell_result const info = sheaf_tool("graph info --json " + (folder / "five"));
    EXPECT_TRUE(info.says("\"vertices\": 128")) << kind << info.text;
  }
}

/// Whatever its file's form, loops and parallel edges among them.
TEST(graph_command, generated_graphs_without_directions_are_written_so) {
  temporary_folder const folder;
  std::string const note = "read it with --undirected";
  for (std::string const kind : {"kron", "small-world", "mesh2d", "mesh3d"}) {
    std::string const words = "graph generate " + kind + " --scale 7 --degree 4 ";
    EXPECT_TRUE(sheaf_tool(words + (folder / "a.tsv")).says(note)) << kind;
    std::string const wanted = sheaf_tool("graph cc --undirected --json " + (folder / "a.tsv")).text;
    std::string const edges = wanted.substr(wanted.find("\"edges\""), wanted.find("\"largest degree\""));
    for (char const* name : {"a.mtx", "a.graph", "a.sg"}) {
      shell_result const made = sheaf_tool(words + (folder / name), "SHEAF_LOCATIONS=3");
      EXPECT_EQ(made.code, 0) << made.text;
      EXPECT_FALSE(made.says(note)) << made.text;
      shell_result const info = sheaf_tool("graph info --json " + (folder / name), "SHEAF_LOCATIONS=2");
      EXPECT_TRUE(info.says("\"kind\": \"undirected\", \"vertices\": 128, ")) << kind << name << info.text;
      EXPECT_TRUE(info.says(edges.substr(0, edges.find("largest")))) << kind << name << info.text << edges;
    }
  }
  for (char const* kind : {"random", "sweep"}) {
    std::string const file = folder / "b.mtx";
    EXPECT_FALSE(sheaf_tool("graph generate " + std::string(kind) + " --scale 1 " + (folder / "b.tsv")).says(note));
    EXPECT_EQ(sheaf_tool("graph generate " + std::string(kind) + " --scale 5 " + file).code, 0);
    EXPECT_TRUE(sheaf_tool("graph info --json " + file).says("\"kind\": \"directed\", \"vertices\": 32, "));
  }
}

/// The files have no bytes but a size.
TEST(graph_command, what_does_not_fit_into_memory_is_refused_before_the_work) {
  temporary_folder const folder;
  constexpr std::uint64_t size = 4'800'000'000'000;
  std::pair<char const*, char const*> const files[] = {
      {"a.txt", "about 400000000000 edges"}, {"a.g500", "about 400000000000 edges"},
      {"a.i64", "about 300000000000 edges"}, {"a.sg", "about 600000000000 edges"},
      {"a.wsg", "about 300000000000 edges"}, {"a.graph", "about 342857142857 edges"},
      {"a.gz", "about 3200000000000 edges"}};
  for (auto const& [name, text] : files) {
    std::filesystem::resize_file(folder.write(name, ""), size);
    shell_result const result = sheaf_tool("graph info " + (folder / name), "SHEAF_LOCATIONS=3");
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_TRUE(result.says(text) && result.says(" are available: run on more hosts")) << result.text;
  }
  shell_result const made =
      sheaf_tool("graph generate kron --scale 40 --degree 1048576 " + (folder / "none"), "SHEAF_LOCATIONS=2");
  EXPECT_EQ(made.code, 2);
  EXPECT_TRUE(
      made.says("about 1152921504606846976 edges are to be made, which takes more than 2^64 bytes of memory, "
                "but "))
      << made.text;
}

TEST(graph_command, ids_with_gaps_that_do_not_fit_into_memory_are_refused) {
  temporary_folder const folder;
  std::string const gap = folder.write("gap.txt", "0 1000000000000000\n");
  for (char const* distribution : {"block", "cyclic"}) {
    shell_result const result =
        sheaf_tool("graph bfs --distribution " + std::string(distribution) + " " + gap, "SHEAF_LOCATIONS=3");
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_TRUE(result.says("gap.txt names vertex 1000000000000000, and numbering all ids up to it takes about "
                            "24000000.0 GB of memory, but ") &&
                result.says(" are available: use --distribution hash"))
        << result.text;
  }
  EXPECT_EQ(sheaf_tool("graph bfs --distribution hash " + gap, "SHEAF_LOCATIONS=3").code, 0);
  std::string const head = folder.write(
      "head.mtx", "%%MatrixMarket matrix coordinate pattern general\n1000000000000000 1000000000000000 1\n1 2\n");
  shell_result const vertices = sheaf_tool("graph info " + head, "SHEAF_LOCATIONS=2");
  EXPECT_TRUE(vertices.says("has 1000000000000000 vertices, and numbering all of them takes about ")) << vertices.text;
  shell_result const part =
      sheaf_tool("graph info " + gap,
                 "OMPI_COMM_WORLD_SIZE=8 OMPI_COMM_WORLD_LOCAL_SIZE=2 SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=2");
  EXPECT_TRUE(part.says("takes about 6000000.0 GB of memory on this host, its share, but ")) << part.text;
}

TEST(graph_command, converts_to_every_form_and_back) {
  temporary_folder const folder;
  std::string const file = folder.write("small.txt", small);
  for (char const* name : {"a.mtx", "a.wsg", "a.tsv"}) {
    EXPECT_EQ(sheaf_tool("graph convert " + file + " " + (folder / name), "SHEAF_LOCATIONS=3").code, 0) << name;
    shell_result const result = sheaf_tool("graph sssp --root 1 " + (folder / name), "SHEAF_LOCATIONS=2");
    EXPECT_TRUE(result.says("reached   5\n") && result.says("farthest  4\n")) << name << result.text;
  }
  std::string const plain = folder.write("plain.txt", "0 1\n1 2\n2 0\n2 3\n");
  for (char const* name : {"b.g500", "b.i64", "b.sg"}) {
    EXPECT_EQ(sheaf_tool("graph convert " + plain + " " + (folder / name), "SHEAF_LOCATIONS=2").code, 0) << name;
    shell_result const result = sheaf_tool("graph scc " + (folder / name), "SHEAF_LOCATIONS=3");
    EXPECT_TRUE(result.says("components  2\n")) << name << result.text;
  }
}

TEST(graph_command, conversion_keeps_integers_and_says_what_became_of_values) {
  temporary_folder const folder;
  std::string const whole = folder.write("whole.txt", "0 1 9007199254740993\n1 2 -7\n2 2 1\n");
  std::string const ones = folder.write("ones.txt", "0 1 1.0\n1 2\n"), real = folder.write("real.txt", "0 1 2.5\n");
  struct {
    std::string file;
    char const *name, *values, *text;
  } const cases[] = {
      {whole, "a.tsv", "integers", "0\t1\t9007199254740993\n1\t2\t-7\n2\t2\t1\n"},
      {whole, "a.mtx", "integers",
       "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 9007199254740993\n3 2 -7\n3 3 1\n"},
      {whole, "a.graph", "integers", "3 3 001\n2 9007199254740993\n1 9007199254740993 3 -7\n3 1 2 -7\n"},
      {whole, "a.g500", "not kept: the form has none", nullptr},
      {whole, "a.i64", "not kept: the form has none", nullptr},
      {whole, "a.sg", "not kept: the form has none", nullptr},
      {real, "b.tsv", "floating-point", "0\t1\t2.5\n"},
      {ones, "c.tsv", "none", "0\t1\n1\t2\n"},
      {ones, "c.sg", "none", nullptr},
  };
  for (auto const& each : cases) {
    std::string const out = folder / each.name;
    shell_result const result =
        sheaf_tool("graph convert --undirected --json " + each.file + " " + out, "SHEAF_LOCATIONS=2");
    EXPECT_EQ(result.code, 0) << each.name << result.text;
    EXPECT_TRUE(result.says("\"values\": \"" + std::string(each.values) + "\"")) << each.name << result.text;
    if (each.text == nullptr) continue;
    EXPECT_EQ(read_file(out), each.text);
  }
}

TEST(graph_command, results_are_numpy_arrays_and_matrix_market_vectors) {
  temporary_folder const folder;
  std::string const file = folder.write("path.txt", "0 1\n1 2\n4 4\n"), out = folder / "levels";
  EXPECT_EQ(sheaf_tool("graph bfs --root 0 -o " + out + " --as mtx " + file, "SHEAF_LOCATIONS=2").code, 0);
  EXPECT_EQ(read_file(out), "%%MatrixMarket matrix array integer general\n5 1\n0\n1\n2\n-1\n-1\n");
  EXPECT_EQ(sheaf_tool("graph bfs --root 0 -o " + out + " --as npy " + file, "SHEAF_LOCATIONS=3").code, 0);
  std::string const array = read_file(out);
  ASSERT_EQ(array.size(), 64u + 5 * 8 + (array.size() > 104 ? 64u : 0u));
  EXPECT_EQ(array.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(array.find("'shape': (5,)"), std::string::npos);
  EXPECT_NE(array.find("'descr': '<i8'"), std::string::npos);
  std::int64_t last[5];
  std::memcpy(last, array.data() + array.size() - sizeof last, sizeof last);
  EXPECT_EQ((std::vector<std::int64_t>(last, last + 5)), (std::vector<std::int64_t>{0, 1, 2, -1, -1}));
}

TEST(graph_command, labels_colours_and_levels_are_written_as_integers) {
  temporary_folder const folder;
  std::string const ends = folder.write("ends.txt", "18446744073709551615 18446744073709551614\n100000 100001\n");
  std::string const out = folder / "out", words = " --distribution hash -o " + out + " " + ends;
  EXPECT_EQ(sheaf_tool("graph cc" + words, "SHEAF_LOCATIONS=3").code, 0);
  std::string const labels = read_file(out);
  EXPECT_NE(labels.find("18446744073709551615\t18446744073709551614\n"), std::string::npos) << labels;
  EXPECT_NE(labels.find("100001\t100000\n"), std::string::npos) << labels;
  for (char const* action : {"color", "kcore"}) {
    EXPECT_EQ(
        sheaf_tool("graph " + std::string(action) + " --as npy -o " + out + " " + folder.write("e.txt", "0 1\n")).code,
        0);
    EXPECT_NE(read_file(out).find("'descr': '<u"), std::string::npos) << action;
  }
}

TEST(graph_command, paths_and_forests_say_that_a_file_has_no_weights) {
  temporary_folder const folder;
  std::string const plain = folder.write("plain.txt", "0 1\n1 2\n"), valued = folder.write("valued.txt", small);
  std::string const row = "weights               1 for each edge\n";
  for (std::string const action : {"sssp ", "mst "}) {
    EXPECT_TRUE(sheaf_tool("graph " + action + plain, "SHEAF_LOCATIONS=3").says(row)) << action;
    EXPECT_FALSE(sheaf_tool("graph " + action + valued, "SHEAF_LOCATIONS=3").says(row)) << action;
  }
  EXPECT_FALSE(sheaf_tool("graph bfs " + plain).says(row));
}

TEST(graph_command, components_have_owners_among_more_than_64_locations) {
  temporary_folder const folder;
  std::string const file = folder.write("small.txt", small);
  shell_result const result = sheaf_tool("graph cc --verify " + file, "SHEAF_LOCATIONS=67 SHEAF_TRANSPORT=sim");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_TRUE(result.says("  5         0 1 2 3 4\n  2         5 6\n")) << result.text;
}

TEST(graph_command, ids_of_any_size_are_searched_by_hash) {
  temporary_folder const folder;
  std::string const file = folder.write("large.txt", "18446744073709551615 7\n7 1000000000000\n");
  for (char const* distribution : {"hash", "degree"}) {
    shell_result const result =
        sheaf_tool("graph bfs --root 18446744073709551615 --distribution " + std::string(distribution) + " " + file);
    EXPECT_TRUE(result.says("reached                   3\n")) << result.text;
  }
  shell_result const refused = sheaf_tool("graph bfs " + file);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.says("names vertex 18446744073709551615, and numbering all ids up to it takes more than 2^64 "
                           "bytes of memory, but ") &&
              refused.says("use --distribution hash"))
      << refused.text;
}

TEST(graph_command, what_is_wrong_is_said_and_the_exit_status_is_2) {
  temporary_folder const folder;
  std::string const file = folder.write("wrong.txt", "0 1\n1 z\n"), right = folder.write("right.txt", "0 1\n"),
                    gaps = folder.write("gaps.txt", "5 7\n");
  std::pair<std::string, std::string> const cases[] = {
      {"bfs " + file, "wrong.txt:2: expected two ids, found '1 z'"},
      {"bfs " + (folder / "none"), "none: No such file"},
      {"bfs --root 9 " + right, "the graph has no vertex 9"},
      {"bfs --form deep " + right, "--form: deep not in {direction,top-down,messages}"},
      {"bfs --plot picture.pdf " + right, "a picture is named .svg or .png"},
      {"bfs -o " + (folder / "no/such/folder") + " " + right, ": cannot write: "},
      {"bfs --distribution hash --as npy -o x " + gaps, "ids"},
      {"bfs", "FILE"},
      {"bfs --root 5 --searches 2 " + folder.write("loop.txt", "5 5\n"), "has no vertex with an edge to search from"},
      {"cc --form deep " + right, "--form: deep not in {hooking,messages}"},
      {"generate moebius " + right, "moebius"},
      {"walk " + right, "'walk' is no action; there is bfs, bc, cc, chain, "},
      {"", "an action is missing; there is bfs, bc, "},
      {"--deep bfs " + right, "'--deep' is no action"},
      {"bfs --root -1 " + right, "--root: expected 0 to 18446744073709551615, found '-1'"},
      {"bfs --root 18446744073709551616 " + right, "found '18446744073709551616'"},
      {"sssp ''", "FILE: the name is empty"},
      {"bfs --plot " + (folder / "no/x.svg") + " " + right, "there is no folder " + (folder / "no")},
  };
  for (auto const& [words, text] : cases) {
    shell_result const result = sheaf_tool("graph " + words, "SHEAF_LOCATIONS=2");
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_TRUE(result.says(text)) << result.text;
  }
}

TEST(graph_command, takes_no_option_that_it_does_not_use) {
  temporary_folder const folder;
  std::string const file = folder.write("right.txt", "0 1\n");
  for (std::string const words :
       {"triangles -o x", "info --verify", "info --root 0", "info -o x", "cc --root 0", "bfs --sources 5",
        "pagerank --form messages", "chain -o x", "mst --as npy", "kcore --directed", "triangles --directed",
        "mst --directed", "color --directed", "color --names x", "cc --seed 2", "scc --searches 2",
        "convert x --plot x.svg", "convert x --distribution hash", "generate kron --form x"}) {
    shell_result const result = sheaf_tool("graph " + words + " " + file);
    std::string const option = words.substr(words.find(" -") + 1);
    EXPECT_EQ(result.code, 2) << words;
    EXPECT_TRUE(result.says("not expected") && result.says(option.substr(0, option.find(' ')))) << words << result.text;
  }
  for (std::string const words : {"kcore", "triangles", "mst", "color", "cc", "cc --directed"})
    EXPECT_EQ(sheaf_tool("graph " + words + (words.ends_with("ed") ? " " : " --undirected ") + file).code, 0) << words;
}

TEST(graph_command, draws_its_histograms) {
  if (shell("command -v gnuplot").code != 0) GTEST_SKIP() << "no gnuplot";
  temporary_folder const folder;
  std::string const file = folder.write("ring.txt", ring());
  EXPECT_EQ(sheaf_tool("graph bfs --plot " + (folder / "p.svg") + " " + file).code, 0);
  EXPECT_NE(read_file(folder / "p.svg").find("Vertices by level"), std::string::npos);
  EXPECT_EQ(sheaf_tool("graph bfs --plot " + (folder / "p.png") + " " + file).code, 0);
  std::filesystem::create_symlink("/dev/full", folder / "full.svg");
  shell_result const full = sheaf_tool("graph bfs --plot " + (folder / "full.svg") + " " + file);
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(full.says("gnuplot could not draw")) << full.text;
  EXPECT_EQ(read_file(folder / "p.png").substr(1, 3), "PNG");
}

}  // namespace
