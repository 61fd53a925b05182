// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Growth becomes back-pressure: what handlers hold back stays under the cap plus what one entry's handlers send, and
// the cap is raised only where all have stopped.
#include <algorithm>
#include <string>
#include <vector>

#include "runtime/job.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "simulation/seeds.hpp"

namespace {

using sheaf::team;
using sheaf_test::run_seeds;

/// What one job's locations saw.
struct pressure {
  std::uint64_t executed = 0;
  std::uint64_t raises = 0;
  std::size_t most_over_cap = 0;  ///< held back beyond the cap when a handler began
  bool cap_is_counted = true;     ///< the cap is the first one plus the counted steps
};

/// Each handler sends ten more, to whom the seed says.
struct sprout : sheaf::distributed<sprout> {
  sprout(sheaf::team const& t, pressure& p) : distributed(t), seen(p) {}

  void grow(std::uint32_t depth, std::uint64_t seed) {
    auto& here = here_of(members());
    ++seen.executed;
    if (here.out().reserve_used() > here.out().held.cap) {
      seen.most_over_cap = std::max(seen.most_over_cap, here.out().reserve_used() - here.out().held.cap);
    }
    for (std::uint32_t i = 0; i < 10 && depth != 0; ++i) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      async<&sprout::grow>((seed >> 33) % members().size(), depth - 1, seed);
    }
  }
  pressure& seen;
};

class growth final : public sheaf::location_body {
 public:
  growth(sheaf::options const& job, std::uint32_t depth)
      : job_(job), depth_(depth), seen_(std::make_unique<pressure>()) {}

  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](team const& world) {
      sprout s(world, *seen_);
      s.async<&sprout::grow>((world.rank() + 1) % world.size(), depth_, std::uint64_t{world.rank()});
      fence(world);
      auto const& here = here_of(world);
      seen_->raises += here.out().held.raises;
      seen_->cap_is_counted =
          seen_->cap_is_counted && here.out().held.cap == job_.reserve_bytes * (1 + here.out().held.raises);
      fence(world);
    });
  }

  [[nodiscard]] std::string check() const {
    std::uint64_t each = 0;
    for (std::uint32_t d = 0; d <= depth_; ++d) each = 10 * each + 1;
    if (seen_->executed != each * job_.locations) return std::to_string(seen_->executed) + " were executed";
    if (!seen_->cap_is_counted) return "a cap is not what was counted";
    // One entry's handlers, a buffer of them at most, send ten each, in runs of their own at worst, or in buffers of
    // their own that are flushed early.
    std::size_t const buffer = std::max(job_.buffer_bytes, job_.near_buffer_bytes);
    bool const fills = job_.near_first_flush_bytes == 0 || job_.near_first_flush_bytes >= buffer;
    std::size_t const each_takes = fills ? record + sheaf::run_header::wire_bytes : buffer;
    std::size_t const most = buffer / record * 10 * each_takes + 2 * job_.locations * buffer;  // the last are not full
    if (seen_->most_over_cap > most)
      return std::to_string(seen_->most_over_cap) + " bytes beyond the cap of " + std::to_string(most);
    return {};
  }
  [[nodiscard]] pressure const& seen() const { return *seen_; }

 private:
  static constexpr std::size_t record = 12;
  sheaf::options job_;
  std::uint32_t depth_;
  std::unique_ptr<pressure> seen_;
};

sheaf::options tight(std::uint64_t kind) {
  sheaf::options o;
  o.locations = 1 + static_cast<unsigned>(kind % 4);
  o.ring_slots = 1;
  o.window = 1;
  o.buffer_bytes = kind % 3 == 0 ? 128 : 256;
  o.reserve_bytes = kind % 2 == 0 ? 200 : 2000;
  return o;
}

TEST(pressure, every_handler_sends_ten_more_with_a_tiny_reserve) {
  run_seeds("pressure.every_handler_sends_ten_more_with_a_tiny_reserve", 400, 12, tight,
            [](auto const& job, std::uint64_t) { return growth(job, 3); });
}

TEST(pressure, growth_to_depth_5_gets_through) {
  run_seeds(
      "pressure.growth_to_depth_5_gets_through", 2, 2, [](std::uint64_t kind) { return tight(kind + 1); },
      [](auto const& job, std::uint64_t) { return growth(job, 5 - (job.locations > 2 ? 1 : 0)); });
}

std::uint64_t raises(sheaf::options job, std::uint64_t seed) {
  job.transport = sheaf::transport_kind::sim;
  job = job.resolved();
  growth body(job, 3);
  sheaf::random_schedule decisions(seed);
  EXPECT_EQ(simulate({.job = job}, decisions, body).text, "");
  EXPECT_EQ(body.check(), "");
  return body.seen().raises;
}

TEST(pressure, the_cap_is_raised_where_all_are_stopped) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) EXPECT_GT(raises(tight(6), seed), 0u) << seed;
}

TEST(pressure, the_cap_is_not_raised_where_the_reserve_is_enough) {
  auto job = tight(6);
  job.reserve_bytes = std::size_t{1} << 20;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) EXPECT_EQ(raises(job, seed), 0u) << seed;
}

// ---- The program's own floods --------------------------------------------------------------------------------------

struct sink : sheaf::distributed<sink> {
  explicit sink(sheaf::team const& t) : distributed(t) {}
  std::uint64_t got = 0;
  void take(std::uint64_t v) { got += v; }
};

TEST(pressure, a_flood_of_the_program_waits_and_needs_no_reserve) {
  sheaf::options job = tight(3);
  job.transport = sheaf::transport_kind::sim;
  job.locations = 4;
  for (job.seed = 1; job.seed <= 10; ++job.seed) {
    sheaf_test::run_job(job.resolved(), [](team const& world) {
      sink s(world);
      std::size_t most = 0;
      for (int i = 0; i < 5000; ++i) {
        s.async<&sink::take>(0, 1u);
        most = std::max(most, here_of(world).out().reserve_used());
      }
      fence(world);
      EXPECT_EQ(s.got, world.rank() == 0 ? 20'000u : 0u);
      EXPECT_LE(most, 2 * here_of(world).settings().buffer_bytes);
      EXPECT_EQ(here_of(world).out().held.raises, 0u);
    });
  }
}

/// Two programs that send each other requests larger than the reserve stop both, though no method ever sends.
TEST(pressure, a_large_request_of_the_program_stops_its_location_and_the_warning_says_so) {
  struct store : sheaf::distributed<store> {
    explicit store(sheaf::team const& t) : distributed(t) {}
    std::size_t got = 0;
    void take(std::vector<std::uint8_t> const& bytes) { got += bytes.size(); }
  };
  sheaf::options job = tight(0);
  job.transport = sheaf::transport_kind::sim;
  job.locations = 2;
  testing::internal::CaptureStderr();
  sheaf_test::run_job(job.resolved(), [](team const& world) {
    store s(world);
    for (int i = 0; i < 3; ++i) s.async<&store::take>(1 - world.rank(), std::vector<std::uint8_t>(1000));
    fence(world);
    EXPECT_EQ(s.got, 3000u);
    EXPECT_GT(here_of(world).out().held.raises, 0u);
  });
  std::string const said = testing::internal::GetCapturedStderr();
  // The record, its length in two bytes and the run's header are what one of the two holds back.
  auto const bytes = std::to_string(1000 + 2 + sheaf::run_header::wire_bytes);
  EXPECT_NE(said.find("holds back " + bytes + " bytes"), said.npos) << said;
  EXPECT_NE(said.find("its limit is 200 (SHEAF_RESERVE_BYTES, options::reserve_bytes)"), said.npos) << said;
  EXPECT_NE(said.find("or a single request is larger than the limit"), said.npos) << said;
  EXPECT_NE(said.find("set SHEAF_RESERVE_BYTES to " + bytes + " or more"), said.npos) << said;
}

/// Two stopped locations hold back what the other must take, and a third waits for an answer of one of them.
TEST(pressure, a_location_that_waits_for_an_answer_does_not_keep_the_others_stopped) {
  struct mixed : sheaf::distributed<mixed> {
    explicit mixed(sheaf::team const& t) : distributed(t) {}
    std::uint64_t count = 0;
    void bounce(std::uint32_t left) {
      ++count;
      for (std::uint32_t i = 0; i < 8 && left != 0; ++i) async<&mixed::bounce>(1 - rank(), left - 1);
    }
    std::uint64_t ask() { return count; }
  };
  sheaf::options job = tight(0);
  job.transport = sheaf::transport_kind::sim;
  job.locations = 3;
  for (job.seed = 1; job.seed <= 200; ++job.seed) {
    sheaf_test::run_job(job.resolved(), [](team const& world) {
      mixed m(world);
      if (world.rank() == 2) {
        for (std::uint64_t i = 0; i < 20; ++i) m.sync<&mixed::ask>(i % 2);
      } else {
        m.async<&mixed::bounce>(1 - world.rank(), 3u);
      }
      fence(world);
      EXPECT_EQ(all_reduce(world, m.count, std::plus<>()), 2u * 585);
    });
  }
}

}  // namespace
