// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/distributed.hpp"

#include <string>
#include <vector>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class bound : public sheaf_test::over {};
SHEAF_OVER_ALL(bound);

struct list : sheaf::distributed<list> {
  explicit list(sheaf::team const& t) : distributed(t) {}
  void add(std::uint32_t from, std::uint64_t value) { added.push_back({from, value}); }
  void name(std::string const& text) { names.push_back(text); }
  std::vector<std::pair<std::uint32_t, std::uint64_t>> added;
  std::vector<std::string> names;
};

TEST_P(bound, a_bound_call_is_the_plain_call_in_one_order_with_it) {
  run(3, [](team const& world) {
    list all(world);
    auto const add = all.bind<&list::add>();
    for (std::uint64_t i = 0; i < 1000; ++i) {
      if (i % 7 == 0) {
        all.async<&list::add>(i % 3, world.rank(), i);
      } else {
        add(i % 3, world.rank(), i);
      }
    }
    sheaf::fence(world);
    std::vector<std::uint64_t> next(3, world.rank());
    EXPECT_EQ(all.added.size(), 1000u + (world.rank() == 0 ? 2 : 0) - (world.rank() == 0 ? 0 : 1));
    for (auto const& [from, value] : all.added) {
      EXPECT_EQ(value, next[from]);
      next[from] += 3;
    }
  });
}

TEST_P(bound, arguments_of_any_size_travel) {
  run(2, [](team const& world) {
    list all(world);
    auto const name = all.bind<&list::name>();
    for (int i = 0; i < 300; ++i) name(1 - world.rank(), std::string(static_cast<std::size_t>(i), 'x'));
    sheaf::fence(world);
    ASSERT_EQ(all.names.size(), 300u);
    for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(all.names[i].size(), i);
  });
}

TEST_P(bound, a_handle_can_be_bound_and_names_ranks_of_its_team) {
  run(4, [](team const& world) {
    team const half = world.split(world.rank() % 2);
    list all(half);
    auto const add = all.bind<&list::add>();
    add(1 - half.rank(), half.rank(), std::uint64_t{7});
    expect_in("destination 2 is not a member",
              text_of<sheaf::usage_error>([&] { add(2, half.rank(), std::uint64_t{1}); }));
    sheaf::fence(half);
    ASSERT_EQ(all.added.size(), 1u);
    EXPECT_EQ(all.added[0].first, 1 - half.rank());
    expect_in("names no object",
              text_of<sheaf::usage_error>([] { static_cast<void>((sheaf::handle<list>()).bind<&list::add>()); }));
  });
}

}  // namespace
