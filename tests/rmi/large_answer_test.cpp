// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Answers of 96 KiB on simulated stacks of 256: there is room for two of them, not for three.
#include <array>

#include "jobs.hpp"

namespace {

using sheaf::team;

using large = std::array<std::uint64_t, 12288>;

struct store : sheaf::distributed<store> {
  using distributed::distributed;
  large filled(std::uint64_t with) {
    std::uint64_t volatile own[12288];  // a method may need as much for itself
    own[with] = with;
    large values;
    values.fill(with + own[with]);
    return values;
  }
  large plain(std::uint64_t with) {
    large values;
    values.fill(with);
    return values;
  }
};

/// Apart, so that only those who ask have room for it on their stack.
[[gnu::noinline]] std::uint64_t ask(store const& s) {
  large const got = s.sync<&store::filled>(1, 7u);
  return got[0] + got[12287];
}
[[gnu::noinline]] std::uint64_t take(sheaf::future<large>& asked) {
  large const got = asked.get();
  return got[0] + got[12287];
}

int run(void (*program)(store& s)) {
  return sheaf::run(sheaf_test::job_of(sheaf::transport_kind::sim, 2), [program](team const& world) {
    store s(world);
    program(s);
    sheaf::fence(world);
  });
}

TEST(large_answer, of_a_blocking_question_leaves_room_on_the_stack) {
  run([](store& s) {
    if (s.rank() == 0) EXPECT_EQ(ask(s), 28u);
  });
}

/// Executes answers while most of the stack is in use.
[[gnu::noinline]] std::uint64_t fence_below(store const& s, std::uint64_t n) {
  std::uint64_t volatile own[16384];
  own[n] = n;
  sheaf::fence(s.members());
  return own[n];
}

TEST(large_answer, of_a_future_does_not_pass_over_the_stack) {
  run([](store& s) {
    sheaf::future<large> asked;
    if (s.rank() == 0) asked = s.ask<&store::plain>(1, 7u);
    if (s.rank() == 0) EXPECT_EQ(fence_below(s, 5), 5u);
    if (s.rank() == 1) sheaf::fence(s.members());
    if (s.rank() == 0) EXPECT_EQ(take(asked), 14u);
  });
}

TEST(large_answer, of_a_future_leaves_room_on_the_stack) {
  run([](store& s) {
    sheaf::future<large> asked;
    if (s.rank() == 0) asked = s.ask<&store::filled>(1, 7u);
    sheaf::fence(s.members());
    if (s.rank() == 0) EXPECT_EQ(take(asked), 28u);
  });
}

}  // namespace
