// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/container/vector.hpp"

#include <algorithm>
#include <numeric>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;

class vector : public sheaf_test::over {};
SHEAF_OVER_ALL(vector);

TEST_P(vector, is_cut_into_blocks_that_differ_by_at_most_one) {
  for (unsigned const p : {1u, 2u, 3u, 4u, 7u, 8u}) {
    run(p, [p](team const& world) {
      for (std::uint64_t const n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{p - 1}, std::uint64_t{p},
                                    std::uint64_t{p + 1}, std::uint64_t{100}}) {
        sheaf::vector<int> v(world, n, 7);
        EXPECT_EQ(v.size(), n);
        EXPECT_GE(v.local_size(), n / p);
        EXPECT_LE(v.local_size(), (n + p - 1) / p);
        auto const before = exclusive_scan(world, std::uint64_t{v.local_size()}, std::uint64_t{0}, std::plus<>());
        EXPECT_EQ(v.first_index(), before);
        EXPECT_EQ(std::count(v.local().begin(), v.local().end(), 7), static_cast<std::ptrdiff_t>(v.local_size()));
        sheaf::fence(world);
      }
    });
  }
}

TEST_P(vector, elements_are_read_and_written_wherever_they_are) {
  run(3, [](team const& world) {
    sheaf::vector<std::string> v(world, 10);
    for (std::uint64_t i = world.rank(); i < 10; i += 3) v[9 - i] = std::to_string(i);
    sheaf::fence(world);
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(static_cast<std::string>(v[i]), std::to_string(9 - i));
    auto const& fixed = v;
    EXPECT_EQ(fixed[4], "5");
    sheaf::fence(world);
    if (world.rank() == 0) v[0] = v[1];
    sheaf::fence(world);
    EXPECT_EQ(v.get(0), "8");
    sheaf::fence(world);
  });
}

TEST_P(vector, a_location_reads_what_it_has_written) {
  run(2, [](team const& world) {
    sheaf::vector<int> v(world, 200, 1);
    for (std::uint64_t i = world.rank(); i < 200; i += 2) {
      v[i] = 2;
      v[i] = 3;
      EXPECT_EQ(v.get(i), 3) << "element " << i << ", read by " << world.rank();
    }
    sheaf::barrier(world);
    v[v.first_index()] = 4;
    EXPECT_EQ(v.copy_to_local()[v.first_index()], 4);
    sheaf::fence(world);
  });
}

TEST_P(vector, grows_by_push_back_and_agrees_on_bounds_afterwards) {
  run(3, [](team const& world) {
    sheaf::vector<std::uint64_t> v(world);
    for (std::uint64_t i = 0; i < 30; ++i) v.async<&sheaf::vector<std::uint64_t>::push_back>(i % 5 == 0 ? 0 : 2, i);
    sheaf::fence(world);
    v.update_bounds();
    EXPECT_EQ(v.size(), 90u);
    std::size_t const sizes[] = {18, 0, 72};
    EXPECT_EQ(v.local_size(), sizes[world.rank()]);
    auto all = v.copy_to_local();
    EXPECT_EQ(all.size(), 90u);
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 3u * 435);
    EXPECT_EQ(static_cast<std::vector<std::uint64_t>>(v), all);
    for (std::uint64_t i = 0; i < 90; i += 11) EXPECT_EQ(v.get(i), all[i]);
    sheaf::fence(world);
  });
}

/// Its members travel without padding between them.
struct opinion {
  bool yes = false;
  std::uint64_t weight = 0;
};

TEST_P(vector, grows_by_elements_that_do_not_travel_as_they_lie_in_memory) {
  run(2, [](team const& world) {
    sheaf::vector<opinion> v(world);
    for (std::uint64_t i = 0; i < 100; ++i) v.async<&sheaf::vector<opinion>::push_back>(1, opinion{i % 2 == 0, i});
    sheaf::fence(world);
    ASSERT_EQ(v.local_size(), world.rank() == 1 ? 200u : 0u);
    std::uint64_t sum = 0;
    for (opinion const& each : v.local()) sum += each.yes ? each.weight : 0;
    EXPECT_EQ(sum, world.rank() == 1 ? 2u * 2450 : 0u);
    sheaf::fence(world);
  });
}

TEST_P(vector, an_index_beyond_the_end_is_the_callers_error) {
  run(2, [](team const& world) {
    sheaf::vector<int> v(world, 5);
    sheaf_test::expect_in("5", sheaf_test::text_of<sheaf::usage_error>([&] { static_cast<void>(v.get(5)); }));
    std::string const text = sheaf_test::text_of<sheaf::usage_error>([&] { v[-1] = 1; });
    sheaf_test::expect_in("index -1 of", text);
    std::string const place = "vector_test.cpp:" + std::to_string(__LINE__ - 2) + ")";
    sheaf_test::expect_in(place.c_str(), text);
    sheaf::fence(world);
  });
}

}  // namespace
