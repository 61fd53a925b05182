// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Damaged files of each format: a reader gives edges or throws, the same on all members, whatever it gets. 10^5 of
/// each where SHEAF_MUTATIONS is set. A failure prints the seed of its file.
#include <cstdio>
#include <random>

#include "graph/graph_files.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/detail/random_words.hpp"

namespace {

using sheaf::team;
using sheaf_test::gap_image;
using sheaf_test::gzipped;
using sheaf_test::image_of;

class damaged_graph_files : public sheaf_test::over {};
SHEAF_OVER_ALL(damaged_graph_files);

constexpr char const* numbers[] = {"0",
                                   "-1",
                                   "4294967295",
                                   "18446744073709551615",
                                   "18446744073709551616",
                                   "1e308",
                                   "99999999999999999999999999999999",
                                   "nan",
                                   "%",
                                   "\n",
                                   "\r\n",
                                   " ",
                                   ","};

/// Some flips of bits, cuts, copies, numbers of all sizes in text and in memory.
std::string damaged(std::string bytes, std::uint64_t seed) {
  std::mt19937_64 next(seed);
  auto const place = [&] { return bytes.empty() ? 0 : next() % (bytes.size() + 1); };
  for (std::uint64_t i = next() % 4; i < 4; ++i) {
    std::size_t const at = place(), length = next() % 9;
    switch (next() % 7) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << next() % 8);
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(next());
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.insert(at, bytes.substr(place(), length * 4));
        break;
      case 5:
        bytes.insert(at, numbers[next() % std::size(numbers)]);
        break;
      default:
        std::uint64_t const number = next() % 3 == 0 ? ~std::uint64_t{0} >> next() % 64 : next() >> next() % 64;
        if (at + 8 <= bytes.size()) bytes.replace(at, 8, image_of(number));
    }
  }
  return bytes;
}

struct sample {
  char const* ending;
  std::string content;
};
std::vector<sample> samples() {
  std::string const list = "# list\n0 1 5\n1\t2 6\n2,0 7\n\n18446744073709551615 3 -8\n4 5\n";
  std::string const matrix =
      "%%MatrixMarket matrix coordinate integer symmetric\n% by hand\n5 5 4\n1 2 7\n4 3 -2\n2 2 1\n5 1 9\n";
  std::string const metis = "% ring\n5 5 011 1\n1 5 8 2 3\n1 1 3 3 4\n1 2 4 4 5\n%\n1 3 5 5 6\n1 4 6 1 8\n";
  std::vector<std::vector<std::int32_t>> const rows = {{1, 2}, {0}, {0, 4}, {}, {2}};
  return {{".el", list},
          {".mtx", matrix},
          {".graph", metis},
          {".el.gz", gzipped(list)},
          {".mtx.gz", gzipped(matrix)},
          {".graph.gz", gzipped(metis)},
          {".g500", image_of(1U, 2U, 0x10002U, 3U, 4U, 0x70007FFFU)},
          {".i64", image_of(1LL, 2LL, 3LL, 1LL << 62)},
          {".sg", gap_image(false, rows, false)},
          {".wsg", gap_image(true, rows, true)}};
}

/// What a member has read, or why not.
template <class E>
std::pair<std::string, std::uint64_t> outcome(team const& world, std::string const& path) {
  try {
    return {"", sheaf::read_edges<E>(world, path).edges.size()};
  } catch (sheaf::graph_file_error const& wrong) {
    return {wrong.what(), 0};
  }
}

TEST_P(damaged_graph_files, are_read_or_refused_by_all_members_alike) {
  std::uint64_t const count = std::getenv("SHEAF_MUTATIONS") != nullptr ? 100'000 : 1000;
  for (sample const& each : samples()) {
    std::string const path = "/dev/shm/sheaf" + std::to_string(::getpid()) + each.ending;
    std::uint64_t refused = 0;
    run(3, [&](team const& world) {
      for (std::uint64_t seed = 0; seed < count; ++seed) {
        std::string const bytes = damaged(each.content, seed);
        if (world.rank() == 0) std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        sheaf::barrier(world);
        auto const one = seed % 2 == 0 ? outcome<int>(world, path) : outcome<sheaf::no_value>(world, path);
        auto const all = sheaf::all_gather(world, one);
        for (auto const& other : all) {
          ASSERT_EQ(other.first, all[0].first) << each.ending << ", seed " << seed;
          ASSERT_LE(other.second, 300 * (bytes.size() + 1)) << each.ending << ", seed " << seed;
        }
        if (world.rank() == 0 && !one.first.empty()) refused += 1;
      }
    });
    std::filesystem::remove(path);
    EXPECT_GT(refused, count / 20) << each.ending;
    EXPECT_TRUE(refused < count || !sheaf_test::has_zlib) << each.ending;
    std::printf("%s: seeds 0 to %llu, %llu refused\n", each.ending, static_cast<unsigned long long>(count - 1),
                static_cast<unsigned long long>(refused));
  }
}

}  // namespace
