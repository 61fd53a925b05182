// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Distributed arrays over every transport: the same results whether sections are copied by who wants them, or served.
#include <string>

#include "conformance/suite.hpp"
#include "view/serial_array.hpp"

SHEAF_CASE(view, remaps_between_any_two_distributions) {
  for (std::uint64_t seed = 1; seed <= s.scaled(24); ++seed) {
    s.same(sheaf_test::play_remap<1>(s.world, seed), "", "a remap of 1 dimension");
    s.same(sheaf_test::play_remap<2>(s.world, seed), "", "a remap of 2 dimensions");
    s.same(sheaf_test::play_remap<4>(s.world, seed), "", "a remap of 4 dimensions");
  }
}

SHEAF_CASE(view, puts_and_gets_of_sections) {
  for (std::uint64_t seed = 1; seed <= s.scaled(6); ++seed) {
    s.same(sheaf_test::play_transfers<2>(s.world, seed), "", "transfers of 2 dimensions");
    s.same(sheaf_test::play_transfers<3>(s.world, seed), "", "transfers of 3 dimensions");
  }
}

SHEAF_CASE(view, gathers_by_distributed_subscripts) {
  for (std::uint64_t seed = 1; seed <= s.scaled(12); ++seed) {
    s.same(sheaf_test::play_gather<1>(s.world, seed), "", "a gather to 1 dimension");
    s.same(sheaf_test::play_gather<2>(s.world, seed), "", "a gather to 2 dimensions");
  }
}

/// What all have put before is moved, and what is moved may be overwritten afterwards.
SHEAF_CASE(view, remap_comes_between_puts) {
  sheaf_test::twin_array<std::uint64_t, 1> to(s.world, {40}, {sheaf::distribution::cyclic(3)}, 0);
  sheaf_test::twin_array<std::uint64_t, 1> from(s.world, {40}, {sheaf::distribution::block()}, 0);
  sheaf::barrier(s.world);
  for (std::uint64_t round = 1; round <= s.scaled(20); ++round) {
    for (std::uint64_t i = s.rank(); i < 40; i += s.size()) sheaf::put(from.array.section(i), 100 * round + i);
    sheaf::remap(to.array, from.array);
    for (std::uint64_t i = 0; i < 40; ++i) to.serial[{i}] = 100 * round + i;
    s.same(to.problem(), "", "what was put before the remap");
  }
  sheaf::barrier(s.world);
}

SHEAF_CASE(view, a_wrong_subscript_is_told_to_all) {
  sheaf::distributed_array<int, 1> to(s.world, {10}, {sheaf::distribution::block()});
  sheaf::distributed_array<int, 1> from(s.world, {5}, {sheaf::distribution::cyclic()});
  sheaf::distributed_array<long, 1> at(s.world, {10}, {sheaf::distribution::cyclic()});
  if (at.owner({6}) == s.rank()) at.own()[at.number({6})] = -2;
  s.throws<sheaf::usage_error>([&] { sheaf::gather(to, from, {at}); },
                               {"element (6)", "is -2; the source has indices 0 to 4"});
  sheaf::barrier(s.world);
}
