// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// How many messages of one-sided memory a remap sends between hosts: exact numbers, whatever the extents.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/transport/side_wire.hpp"
#include "sheaf/view.hpp"

namespace {

using sheaf::distribution;
using matrix = sheaf::distributed_array<double, 2>;

/// What rank 0 sends to the others: its questions to each, and its answers to theirs.
std::vector<std::uint64_t> sent_by(sheaf::team const& world) {
  auto const& wire = *here_of(world).connection().side;
  std::vector<std::uint64_t> all;
  for (std::uint32_t p = 1; p < world.size(); ++p) all.push_back(wire.sent(p));
  return all;
}

/// On four hosts, of one location each.
std::vector<std::uint64_t> messages(std::uint64_t extent, std::array<distribution, 2> const& to,
                                    std::array<distribution, 2> const& from) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::sim, 4);
  job.threads = 1;
  job.hosts = 4;
  std::vector<std::uint64_t> found;
  sheaf::run(job, [&](sheaf::team world) {
    matrix a(world, {extent, extent}, to), b(world, {extent, extent}, from);
    sheaf::barrier(world);
    auto const before = sent_by(world);
    sheaf::remap(a, b);
    sheaf::barrier(world);
    if (world.rank() != 0) return;
    found = sent_by(world);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] -= before[i];
  });
  return found;
}

TEST(remap_cost, is_a_question_and_an_answer_for_each_pair) {
  std::vector<std::uint64_t> const expected(3, 2);
  for (std::uint64_t const extent : {8u, 200u}) {
    EXPECT_EQ(messages(extent, {distribution::block(), distribution::collapsed()},
                       {distribution::collapsed(), distribution::block()}),
              expected);
    EXPECT_EQ(messages(extent, {distribution::cyclic(), distribution::collapsed()},
                       {distribution::collapsed(), distribution::block()}),
              expected);
  }
}

TEST(remap_cost, is_no_message_where_owners_stay) {
  EXPECT_EQ(messages(50, {distribution::cyclic(2), distribution::collapsed()},
                     {distribution::cyclic(2), distribution::collapsed()}),
            std::vector<std::uint64_t>(3, 0));
}

/// One message asks for all pieces of an owner, and one brings them.
TEST(remap_cost, is_the_same_for_many_pieces) {
  std::array const twos{distribution::cyclic(2), distribution::cyclic(3)};
  std::array const threes{distribution::cyclic(3), distribution::cyclic(2)};
  for (std::uint64_t const extent : {48u, 192u}) {
    EXPECT_EQ(messages(extent, twos, threes), std::vector<std::uint64_t>(3, 2)) << extent;
  }
}

}  // namespace
