// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Remap, gather and one-sided transfers of sections against the same work on one serial array.
#include "sheaf/view/remap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rmi/jobs.hpp"
#include "view/serial_array.hpp"

namespace {

using sheaf::distributed_array;
using sheaf::distribution;
using sheaf::slice;
using sheaf_test::expect_in;
using sheaf_test::text_of;
using sheaf_test::twin_array;

class sections : public sheaf_test::over {};
SHEAF_OVER_ALL(sections);

constexpr unsigned location_counts[] = {1, 2, 3, 4, 7};

/// HPF's a(block, *) = b(*, block).
TEST_P(sections, rows_become_columns) {
  for (unsigned const n : location_counts) {
    run(n, [n](sheaf::team world) {
      for (std::uint64_t const extent : {0u, 1u, n - 1, n, n + 1, 40u}) {
        twin_array<double, 2> a(world, {extent, extent}, {distribution::block(), distribution::collapsed()}, 0);
        twin_array<double, 2> b(world, {extent, extent}, {distribution::collapsed(), distribution::block()}, 7);
        sheaf::remap(a.array, b.array);
        a.serial.values = b.serial.values;
        EXPECT_EQ(a.problem(), "") << extent;
        sheaf::barrier(world);
      }
    });
  }
}

TEST_P(sections, random_remaps) {
  for (unsigned const n : location_counts) {
    run(n, [n](sheaf::team world) {
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        EXPECT_EQ(sheaf_test::play_remap<1>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_remap<2>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_remap<3>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_remap<5>(world, 1000 * n + seed), "");
      }
    });
  }
}

TEST_P(sections, random_puts_and_gets) {
  for (unsigned const n : location_counts) {
    run(n, [n](sheaf::team world) {
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        EXPECT_EQ(sheaf_test::play_transfers<1>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_transfers<3>(world, 1000 * n + seed), "");
      }
    });
  }
}

TEST_P(sections, random_gathers) {
  for (unsigned const n : location_counts) {
    run(n, [n](sheaf::team world) {
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        EXPECT_EQ(sheaf_test::play_gather<1>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_gather<3>(world, 1000 * n + seed), "");
      }
    });
  }
}

/// Where nothing can be loaded: each location is a host.
TEST(sections_between_hosts, have_the_same_results) {
  for (unsigned const n : {2u, 3u, 4u, 7u}) {
    sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::sim, n);
    job.threads = 1;
    job.hosts = n;
    sheaf::run(job, [n](sheaf::team world) {
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        EXPECT_EQ(sheaf_test::play_remap<1>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_remap<3>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_transfers<2>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_gather<1>(world, 1000 * n + seed), "");
        EXPECT_EQ(sheaf_test::play_gather<2>(world, 1000 * n + seed), "");
      }
    });
  }
}

/// Python's slices, with bounds that are missing, negative or outside.
TEST_P(sections, are_those_of_python) {
  run(3, [](sheaf::team world) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      sheaf_test::array_dice dice(seed);
      auto const extents = dice.extents<2>(15);
      twin_array<int, 2> twin(world, extents, dice.distributions<2>(), 0);
      sheaf::barrier(world);
      auto const rows = static_cast<std::int64_t>(extents[0]), columns = static_cast<std::int64_t>(extents[1]);
      auto const of_rows = dice.from_python(rows), of_columns = dice.from_python(columns);
      std::vector<int> expected;
      for (std::int64_t const i : of_rows.of(rows)) {
        for (std::int64_t const j : of_columns.of(columns)) {
          expected.push_back(twin.serial[{static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)}]);
        }
      }
      std::vector<int> got(expected.size());
      sheaf::get(twin.array.section(of_rows.ours(rows), of_columns.ours(columns)), got);
      EXPECT_EQ(got, expected);
      sheaf::barrier(world);
    }
  });
}

TEST_P(sections, one_location_has_everything_and_the_grid_is_given) {
  run(4, [](sheaf::team world) {
    twin_array<int, 2> one(world, {5, 6}, {distribution::collapsed(), distribution::collapsed()}, 0);
    twin_array<int, 2> some(world, {5, 6}, {distribution::cyclic(), distribution::block()}, 50, {3, 1});
    EXPECT_EQ(one.array.own().size(), world.rank() == 0 ? 30u : 0u);
    EXPECT_EQ(some.array.own().size(), world.rank() == 3 ? 0u : world.rank() == 2 ? 6u : 12u);
    sheaf::remap(some.array, one.array);
    some.serial.values = one.serial.values;
    EXPECT_EQ(some.problem(), "");
    sheaf::remap(one.array.section(slice(4, slice::to_end, -1), slice()), some.array);
    for (std::uint64_t i = 0; i < 5; ++i) {
      for (std::uint64_t j = 0; j < 6; ++j) one.serial[{4 - i, j}] = some.serial[{i, j}];
    }
    EXPECT_EQ(one.problem(), "");
    sheaf::barrier(world);
  });
}

TEST_P(sections, of_one_array_may_lie_apart_or_be_the_same) {
  run(3, [](sheaf::team world) {
    twin_array<int, 1> twin(world, {20}, {distribution::block()}, 0);
    sheaf::remap(twin.array.section(slice(1, 10, 2)), twin.array.section(slice(0, 10, 2)));
    for (std::uint64_t i = 0; i < 20; i += 2) twin.serial[{i + 1}] = twin.serial[{i}];
    EXPECT_EQ(twin.problem(), "");
    sheaf::remap(twin.array, twin.array);
    sheaf::remap(twin.array.section(slice(3, 1, 2)), twin.array.section(slice(3, 1, 0)));  // the same element
    EXPECT_EQ(twin.problem(), "");
    sheaf::barrier(world);
  });
}

/// Refused if and only if an index is in both, and they are not the same.
TEST_P(sections, of_one_array_are_refused_where_they_overlap) {
  run(2, [](sheaf::team world) {
    int refused = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      sheaf_test::array_dice dice(seed);
      twin_array<int, 1> twin(world, {30}, {dice.distribution()}, 0);
      std::uint64_t const count = dice.below(9);
      std::array const to{dice.slice(30, count)}, from{dice.slice(30, count)};
      std::vector<int> uses(30);
      for (std::uint64_t k = 0; k < count; ++k) {
        ++uses[sheaf_test::in_array<1>(to, {k})[0]];
        ++uses[sheaf_test::in_array<1>(from, {k})[0]];
      }
      bool const same = count == 1 ? to[0].first == from[0].first : to == from;
      bool const overlap = !same && std::count(uses.begin(), uses.end(), 2) > 0;
      auto const move = [&] { remap(sheaf::array_section(twin.array, to), sheaf::array_section(twin.array, from)); };
      EXPECT_EQ(text_of<sheaf::usage_error>(move).find("elements in common") != std::string::npos, overlap) << seed;
      if (!overlap) sheaf_test::serial_remap(twin.serial, to, twin.serial, from);
      EXPECT_EQ(twin.problem(), "") << seed;
      refused += overlap ? 1 : 0;
      sheaf::barrier(world);
    }
    EXPECT_GT(refused, 50);
    EXPECT_LT(refused, 250);
  });
}

/// Of a team whose ranks are other numbers than the world's.
TEST_P(sections, belong_to_any_team) {
  run(7, [](sheaf::team world) {
    sheaf::team const half = world.split(world.rank() % 2, 100 - world.rank());
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      EXPECT_EQ(sheaf_test::play_remap<2>(half, seed), "");
      EXPECT_EQ(sheaf_test::play_gather<2>(half, seed), "");
      EXPECT_EQ(sheaf_test::play_transfers<2>(half, seed), "");
    }
    distributed_array<int, 1> a(half, {10}, {distribution::block()}), b(world, {10}, {distribution::block()});
    expect_in("remap: the arrays belong to different teams; make both over one",
              text_of<sheaf::usage_error>([&] { remap(a, b); }));
    sheaf::barrier(world);
  });
}

TEST_P(sections, are_put_from_and_got_to_local_sections) {
  run(3, [](sheaf::team world) {
    distributed_array<int, 2> a(world, {4, 6}, {distribution::block(), distribution::cyclic()});
    std::vector<int> const values{1, 2, 3, 4, 5, 6};
    if (world.rank() == 1) {  // the transposed form of three rows of two
      sheaf::put(a.section(slice(1, 2), slice(0, 3, 2)), sheaf::section<int const*, 2>{values.data(), {2, 3}, {1, 2}});
      sheaf::put(a.section(3, 5), 9);
    }
    sheaf::fence_all();
    sheaf::barrier(world);
    std::vector<int> all(24), expected(24), two(4, -1);
    sheaf::get(a, all);
    expected[6] = 1, expected[8] = 3, expected[10] = 5, expected[12] = 2, expected[14] = 4, expected[16] = 6;
    expected[23] = 9;
    EXPECT_EQ(all, expected);
    sheaf::get(a.section(slice(1, 2), 4), sheaf::section<int*, 2>{two.data() + 3, {2, 1}, {-3, 1}});
    EXPECT_EQ(two, (std::vector<int>{6, -1, -1, 5}));
    sheaf::barrier(world);
  });
}

TEST_P(sections, elements_are_found_and_addressed) {
  run(4, [](sheaf::team world) {
    distributed_array<std::uint64_t, 2> a(world, {7, 9}, {distribution::cyclic(2), distribution::block()});
    EXPECT_EQ(a.extent(1), 9u);
    for (std::uint64_t i = 0; i < a.own().size(); ++i) {
      auto const at = a.indices_of(i);
      EXPECT_EQ(a.owner(at), world.rank());
      EXPECT_EQ(a.number(at), i);
      a.own()[i] = 100 * at[0] + at[1];
    }
    sheaf::barrier(world);
    for (std::uint64_t i = 0; i < 7; ++i) EXPECT_EQ(sheaf::get(a.at({i, 8 - i})), 99 * i + 8);
    EXPECT_EQ(a.own_extents()[0] * a.own_extents()[1], a.own().size());
    sheaf::barrier(world);
  });
}

TEST_P(sections, that_are_wrong_are_refused_with_the_remedy) {
  run(2, [](sheaf::team world) {
    using sheaf::usage_error;
    distributed_array<int, 1> a(world, {10}, {distribution::block()}), b(world, {12}, {distribution::block()});
    std::vector<int> local(3);
    auto const text = [](auto f) { return text_of<usage_error>(f); };
    expect_in("remap: the target has 10 elements, and the source 12; give sections of one shape",
              text([&] { remap(a, b); }));
    expect_in("remap: a section's slice of dimension 0 begins with index 10; its indices are 0 to 9",
              text([&] { remap(a.section(10), b.section(0)); }));
    expect_in("begins with index -1; its", text([&] { get(a.section(slice(-1, 3)), local); }));
    expect_in("has 4 indices from 8 by 1; its indices are 0 to 9", text([&] { remap(a.section(slice(8, 4)), b); }));
    std::int64_t const less = -1;
    expect_in("has -1 indices from 0 by 1; its indices are 0 to 9",
              text([&] { get(a.section(slice(0, static_cast<std::uint64_t>(less))), local); }));
    expect_in("has 2 indices from 8 by 0; give a step that is not 0",
              text([&] { remap(a.section(slice(8, 2, 0)), b); }));
    expect_in("both sections are of one array and have elements in common; go by way of a second array",
              text([&] { remap(a.section(slice(0, 5)), a.section(slice(8, 5, -2))); }));
    expect_in("get: the section has 4 elements, and the local memory 3; give as many",
              text([&] { get(a.section(slice(0, 4)), local); }));
    using sheaf::slice;
    distributed_array<short, 1> at(world, {10}, {distribution::block()});
    if (world.rank() == 1) at.own()[2] = 12;
    expect_in(
        "gather: for element (7) of the target's section the subscript of dimension 0 is 12; the source has "
        "indices 0 to 11",
        text([&] { gather(a, b, {at}); }));
    expect_in("the target is the source", text([&] { gather(a, a, {at}); }));
    if (world.rank() == 1) at.own()[2] = 11;
    gather(a, b, {at});  // all is well again
    sheaf::barrier(world);
  });
}

TEST_P(sections, arrays_that_cannot_be_are_refused) {
  run(2, [](sheaf::team world) {
    auto const text = [&](std::uint64_t extent, distribution how, std::uint32_t grid) {
      return text_of<sheaf::usage_error>([&] { distributed_array<int, 1>(world, {extent}, {how}, {grid}); });
    };
    expect_in("a block distribution of 10 indices on 2 coordinates has blocks of 4; give at least 5, or 0",
              text(10, distribution::block(4), 0));
    expect_in("a cyclic distribution has blocks of 0 indices", text(10, distribution::cyclic(0), 0));
    expect_in("a collapsed dimension has 2 coordinates", text(10, distribution::collapsed(), 2));
    expect_in("multiply to 3, and the team has 2 members; give 1 to 2", text(10, distribution::block(), 3));
    expect_in("more elements than there are addresses", text(std::uint64_t{1} << 50U, distribution::block(), 0));
    struct large {
      std::byte bytes[1U << 24U];
    };
    expect_in("2199023255552 elements of 16777216 bytes at rank 0, more bytes than there are addresses; give smaller",
              text_of<sheaf::usage_error>(
                  [&] { distributed_array<large, 1>(world, {std::uint64_t{1} << 42U}, {distribution::block()}); }));
  });
}

/// Also where each member's part has as many bytes.
TEST_P(sections, arrays_that_members_make_differently_are_refused) {
  run(3, [](sheaf::team world) {
    bool const last = world.rank() == 2;
    auto const alike = [](auto const& make) {
      expect_in(
          "other extents, distributions, grid or bytes of an element at rank 2 than at rank 0; give the same on all "
          "members",
          text_of<sheaf::usage_error>(make));
    };
    auto const block = distribution::block(), none = distribution::collapsed();
    alike([&] { distributed_array<int, 1>(world, {6}, {last ? distribution::cyclic() : block}); });
    alike([&] { distributed_array<int, 2>(world, {last ? 6u : 3u, last ? 2u : 4u}, {block, none}); });
    alike([&] { distributed_array<int, 2>(world, {6, 6}, {last ? none : block, last ? block : none}); });
    alike([&] { distributed_array<int, 2>(world, {6, 6}, {block, block}, {last ? 3u : 1u, last ? 1u : 3u}); });
    alike([&] {
      if (last) return static_cast<void>(distributed_array<int, 1>(world, {6}, {block}));
      distributed_array<double, 1>(world, {3}, {block});
    });
  });
}

/// In place of a copy of something else, or memory that is read when it is gone.
TEST_P(sections, that_members_give_differently_are_told) {
  auto const told = [&](auto const& call) {
    auto const text = failure(3, [&](sheaf::team world) {
      distributed_array<int, 1> a(world, {12}, {distribution::block()}), b(world, {12}, {distribution::cyclic()});
      distributed_array<int, 1> const at(world, {12}, {distribution::block()});
      call(world, a, b, at, world.rank() == 2);
      sheaf::barrier(world);
    });
    expect_in("call different collective operations", text);
    expect_in("with the same type, root, arrays and sections", text);
  };
  told([](auto const& world, auto& a, auto& b, auto const&, bool last) { last ? remap(a, b) : sheaf::barrier(world); });
  told([](auto const&, auto& a, auto& b, auto const&, bool last) { last ? remap(a, b) : remap(b, a); });
  told([](auto const&, auto& a, auto& b, auto const&, bool last) {
    remap(sheaf::array_section<int, 1>(a, {slice(last ? 2 : 0, 4)}), sheaf::array_section<int, 1>(b, {slice(1, 4)}));
  });
  told([](auto const&, auto& a, auto& b, auto const& at, bool last) { last ? gather(a, b, {at}) : remap(a, b); });
  told([](auto const& world, auto& a, auto& b, auto const& at, bool last) {
    distributed_array<unsigned, 1> const other(world, {12}, {distribution::block()});
    last ? gather(a, b, {other}) : gather(a, b, {at});
  });
}

}  // namespace
