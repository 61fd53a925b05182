// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What a method costs more for being a coroutine: its frame, and no message.
#include <algorithm>

#include "cost/new_counter.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::task;
using sheaf::team;

struct till : sheaf::distributed<till> {
  explicit till(sheaf::team const& t) : distributed(t) {}
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  std::uint64_t plain(std::uint64_t v) { return v + 1; }
  task<std::uint64_t> at_once(std::uint64_t v) { co_return v + 1; }
  task<std::uint64_t> by_way_of(std::uint64_t v) { co_return co_await ask<&till::twice>(rank(), v); }
  task<std::uint64_t> by_reference(std::uint64_t const& v) { co_return co_await ask<&till::twice>(rank(), v) + v; }
};

sheaf::options two_on(sheaf::transport_kind kind) {
  sheaf::options o = sheaf_test::job_of(kind, 2);
  o.buffer_bytes = o.first_flush_bytes = 8192;
  return o;
}

/// Once whatever is recycled is there.
template <auto Method>
std::uint64_t news_of_a_hundred(till& t) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int round = 0; round < 50; ++round) {
    std::uint64_t const before = sheaf_test::news();
    for (std::uint64_t i = 0; i < 100; ++i) t.sync<Method>(1, i);
    least = std::min(least, sheaf_test::news() - before);
  }
  return least;
}

TEST(coroutine_cost, allocates_its_frame_and_nothing_else) {
  sheaf::run(two_on(sheaf::transport_kind::thread), [](team const& world) {
    till t(world);
    if (world.rank() == 0) {
      EXPECT_EQ(news_of_a_hundred<&till::plain>(t), 0u);
      EXPECT_EQ(news_of_a_hundred<&till::at_once>(t), 100u);
      EXPECT_EQ(news_of_a_hundred<&till::by_way_of>(t), 100u);
      EXPECT_EQ(news_of_a_hundred<&till::by_reference>(t), 200u) << "the frame, and the arguments that it refers to";
    }
    sheaf::fence(world);
  });
}

template <auto Method>
sheaf::endpoint_counts sent_for_a_hundred(till& t) {
  auto& connection = here_of(t.members()).connection();
  auto const before = connection.counts();
  for (std::uint64_t i = 0; i < 100; ++i) t.sync<Method>(1, i);
  auto sent = connection.counts();
  sent.inline_sent[0] -= before.inline_sent[0];
  sent.bytes_sent[0] -= before.bytes_sent[0];
  sent.buffers_sent[0] -= before.buffers_sent[0];
  return sent;
}

TEST(coroutine_cost, sends_nothing_more) {
  sheaf::run(two_on(sheaf::transport_kind::sim), [](team const& world) {
    till t(world);
    if (world.rank() == 0) {
      auto const plain = sent_for_a_hundred<&till::plain>(t), ours = sent_for_a_hundred<&till::by_way_of>(t);
      EXPECT_EQ(ours.inline_sent[0], plain.inline_sent[0]);
      EXPECT_EQ(ours.bytes_sent[0], plain.bytes_sent[0]);
      EXPECT_EQ(ours.buffers_sent[0], plain.buffers_sent[0]);
    }
    sheaf::fence(world);
  });
}

/// Answers of coroutines that end together leave together.
TEST(coroutine_cost, answers_are_gathered) {
  sheaf::run(two_on(sheaf::transport_kind::sim), [](team const& world) {
    till t(world);
    auto const counts = [](till& there) { return here_of(there.members()).connection().counts(); };
    if (world.rank() == 0) {
      auto const before = t.sync(1, counts);
      std::vector<sheaf::future<std::uint64_t>> all;
      for (std::uint64_t i = 0; i < 100; ++i) all.push_back(t.ask<&till::by_way_of>(1, i));
      for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(all[i].get(), 2 * i);
      auto const after = t.sync(1, counts);
      // To itself 100 requests and their replies, to us 100 replies: a few buffers of each, not one for each.
      EXPECT_LE(after.buffers_sent[1] - before.buffers_sent[1], 10u);
    }
    sheaf::fence(world);
  });
}

}  // namespace
