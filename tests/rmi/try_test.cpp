// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/distributed.hpp"

#include <random>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;

class try_requests : public sheaf_test::over {
 protected:
  sheaf::options tight(unsigned locations) {
    auto job = sheaf_test::job_of(GetParam(), locations);
    job.ring_slots = job.window = 1;
    job.buffer_bytes = 256;
    return job;
  }
};
SHEAF_OVER_ALL(try_requests);

struct sink : sheaf::distributed<sink> {
  explicit sink(sheaf::team const& t) : distributed(t), next(t.size()) {}
  std::vector<std::uint64_t> next;
  std::uint64_t bytes = 0;
  std::uint64_t refused = 0;
  void take(std::uint32_t source, std::uint64_t number) {
    EXPECT_EQ(next[source], number);
    next[source] = number + 1;
  }
  void take_text(std::uint32_t source, std::uint64_t number, std::string const& text) {
    take(source, number);
    bytes += text.size();
  }
  /// Tries to itself until it is refused.
  void fill() {
    std::uint64_t number = 0;
    while (this->try_async<&sink::take>(rank(), rank(), number)) ++number;
    refused = number;
    EXPECT_EQ(here_of(members()).out().reserve_used(), 0u);
  }
};

TEST_P(try_requests, refuses_when_the_pair_has_no_credit_and_goes_on_when_it_has) {
  sheaf::run(tight(1), [](team const& world) {
    sink s(world);
    std::uint64_t issued = 0;
    while (s.try_async<&sink::take>(0, 0u, issued)) ++issued;
    EXPECT_GT(issued, 10u) << "one buffer under way, one full";
    EXPECT_LT(issued, 60u);
    EXPECT_EQ(s.next[0], 0u) << "nothing was executed meanwhile";
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(s.try_async<&sink::take>(0, 0u, issued));
    EXPECT_FALSE(s.try_async(0, &sink::take, 0u, issued)) << "which would have to be named first";
    while (!s.try_async(0, &sink::take, 0u, issued)) sheaf::poll();
    fence(world);
    EXPECT_EQ(s.next[0], issued + 1);
    EXPECT_EQ(here_of(world).registered().world().sent, here_of(world).registered().world().executed);
  });
}

TEST_P(try_requests, a_method_is_refused_instead_of_using_the_reserve) {
  sheaf::run(tight(2), [](team const& world) {
    sink s(world);
    s.async<&sink::fill>((world.rank() + 1) % 2);
    fence(world);
    EXPECT_GT(s.refused, 0u);
    EXPECT_EQ(s.next[world.rank()], s.refused);
    fence(world);
  });
}

/// Issues number `n` to `dest` in one of five ways; false: it was refused.
bool issue(sink& s, std::uint32_t dest, std::uint64_t n, std::uint64_t draw) {
  std::uint32_t const self = s.rank();
  auto const take = [](sink& to, std::uint32_t from, std::uint64_t k) { to.take(from, k); };
  switch (draw % 5) {
    case 0:
      s.async<&sink::take>(dest, self, n);
      return true;
    case 1:
      return s.try_async<&sink::take_text>(dest, self, n, std::string(draw / 5 % 300, 'x'));
    case 2:
      return s.try_async(dest, &sink::take, self, n);
    case 3:
      return s.try_async(dest, take, self, n);
    default:
      return s.try_async<&sink::take>(dest, self, n);
  }
}

/// What was said to be issued is executed once and in order with other requests; what was refused is not.
TEST_P(try_requests, random_mixtures_under_small_caps) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto job = tight(3);
    job.seed = seed;
    sheaf::run(job, [&](team const& world) {
      sink s(world);
      std::mt19937_64 random(seed * 7 + world.rank());
      std::vector<std::uint64_t> number(3);
      std::uint64_t refusals = 0;
      for (int i = 0; i < 400; ++i) {
        auto const dest = static_cast<std::uint32_t>(random() % 3);
        bool const issued = issue(s, dest, number[dest], random());
        number[dest] += issued ? 1 : 0;
        refusals += issued ? 0 : 1;
        if (random() % 40 == 0) sheaf::poll();
      }
      auto const all = all_gather(world, number);
      fence(world);
      for (std::uint32_t r = 0; r < 3; ++r) EXPECT_EQ(s.next[r], all[r][world.rank()]) << "seed " << seed;
      EXPECT_LT(refusals, 400u);
      fence(world);
    });
  }
}

}  // namespace
