// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/fence.hpp"
#include "sheaf/message/guarded_run.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>

#include "runtime/grains.hpp"
#include "runtime/job.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace {

using sheaf::team;
using sheaf::detail::location;
using sheaf_test::field;
using sheaf_test::grain;
using sheaf_test::run_job;
using sheaf_test::setting;

class fences : public sheaf_test::on_all {};

INSTANTIATE_TEST_SUITE_P(all, fences, testing::ValuesIn(sheaf_test::all_settings()), sheaf_test::test_name);

/// What is to hold on every member once a fence has returned: all grains issued by anybody have finished.
void expect_all_finished(field const& f) {
  EXPECT_EQ(all_reduce(f.members(), f.issued, std::plus<>()), all_reduce(f.members(), f.finished, std::plus<>()));
}

TEST_P(fences, ends_when_idle) {
  run([](team const& world) {
    for (int i = 0; i < 50; ++i) fence(world);
  });
}

TEST_P(fences, covers_requests_nested_to_depth_8) {
  run([](team const& world) {
    field f(world);
    barrier(world);
    if (world.rank() == 0) f.send(world.size() - 1, {.depth = 8, .fan = 3, .seed = 1});
    fence(world);
    // Nothing is executed between here and the sums but what the fence should have waited for.
    std::uint64_t const finished = f.finished;
    EXPECT_EQ(all_reduce(world, finished, std::plus<>()), 9841u);  // (3^9 − 1) / 2
    expect_all_finished(f);
    fence(world);
  });
}

struct extremes {
  std::int32_t least, most;
  std::uint64_t members[4];
  bool all;
};

TEST_P(fences, brings_a_value_of_each_member_as_it_was_at_the_end) {
  run([](team const& world) {
    field f(world);
    std::uint64_t expected = 0;
    for (std::uint32_t round = 0; round < 20; ++round) {
      for (std::uint32_t to = 0; to < world.size(); ++to) f.send(to, {.depth = round % 4, .fan = 2, .seed = to});
      expected += std::uint64_t{world.size()} * world.size() * ((2u << round % 4) - 1);
      EXPECT_EQ(fence(
                    world, [&] { return f.finished; }, std::plus<>()),
                expected)
          << "of this round, and no more";
    }
  });
}

TEST_P(fences, puts_values_of_several_kinds_together) {
  run([](team const& world) {
    auto const rank = static_cast<std::int32_t>(world.rank()), n = static_cast<std::int32_t>(world.size());
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(fence(world, rank + 1, std::plus<>()), n * (n + 1) / 2);
      extremes own{-rank, rank, {}, rank != 1};
      own.members[rank % 4] = std::uint64_t{1} << rank;
      auto const both = [](extremes const& a, extremes const& b) {
        extremes sum{std::min(a.least, b.least), std::max(a.most, b.most), {}, a.all && b.all};
        for (int i = 0; i < 4; ++i) sum.members[i] = a.members[i] + b.members[i];
        return sum;
      };
      extremes const all = fence(world, own, both);
      EXPECT_EQ(all.least, 1 - n);
      EXPECT_EQ(all.most, n - 1);
      EXPECT_EQ(all.members[0] + all.members[1] + all.members[2] + all.members[3], (std::uint64_t{1} << n) - 1);
      EXPECT_EQ(all.all, n == 1);
      fence(world);
    }
  });
}

TEST_P(fences, refuses_a_value_that_sends) {
  std::atomic<unsigned> refused{0};
  sheaf_test::job body(GetParam().options(), [&](team const& world) {
    field f(world);
    auto const sends = [&] {
      f.send(0, {});
      return 1;
    };
    try {
      fence(world, sends, std::plus<>());
    } catch (sheaf::usage_error const&) {
      ++refused;
      throw;  // ends the job, maybe before others have come so far
    }
    ADD_FAILURE() << "no error";
  });
  sheaf::options const settings = GetParam().options();
  settings.transport == sheaf::transport_kind::sim ? launch_simulator(settings, body) : launch_threads(settings, body);
  EXPECT_GE(refused, 1u);
}

TEST_P(fences, covers_everybodys_requests_again_and_again) {
  run([](team const& world) {
    field f(world);
    std::uint64_t expected = 0;
    for (std::uint32_t round = 0; round < 20; ++round) {
      for (std::uint32_t to = 0; to < world.size(); ++to) {
        f.send(to, {.depth = round % 4, .fan = 2, .seed = round * 64 + to});
      }
      fence(world);
      expected += std::uint64_t{world.size()} * world.size() * ((2u << round % 4) - 1);
      EXPECT_EQ(all_reduce(world, f.finished, std::plus<>()), expected);
    }
  });
}

TEST_P(fences, of_overlapping_teams_at_once) {
  run([](team const& world) {
    team const halves = world.split(world.rank() % 2);
    team const neighbours = world.split(world.rank() / 2, 100 - world.rank());
    field a(halves), b(neighbours), c(world);
    for (std::uint32_t round = 0; round < 10; ++round) {
      a.send(round % halves.size(), {.depth = 3, .fan = 2, .seed = round});
      b.send(round % neighbours.size(), {.depth = 3, .fan = 2, .seed = round + 100});
      c.send(round % world.size(), {.depth = 3, .fan = 2, .seed = round + 200});
      fence(halves);
      std::uint64_t const a_done = all_reduce(halves, a.finished, std::plus<>());
      EXPECT_EQ(a_done, 15u * halves.size() * (round + 1));
      fence(neighbours);
      expect_all_finished(b);
    }
    fence(world);
    std::uint64_t const finished = a.finished + b.finished + c.finished;
    EXPECT_EQ(all_reduce(world, finished, std::plus<>()), 3u * 15u * 10u * world.size());
    expect_all_finished(c);
  });
}

TEST_P(fences, of_a_team_does_not_wait_for_an_object_of_another) {
  run([](team const& world) {
    team const same = world.split(0);
    if (world.rank() == 0) {
      field early(same);
      early.send(world.size() - 1, {.seed = 1});
      fence(world.split(1));
      fence(same);
      EXPECT_EQ(early.finished, world.size() == 1 ? 1u : 0u);
      fence(world);
    } else {
      team const other = world.split(1);
      fence(other);  // a request for an object that is not here yet may be held meanwhile
      field late(same);
      fence(same);
      EXPECT_EQ(late.finished, world.rank() + 1 == world.size() ? 1u : 0u);
      fence(world);
    }
  });
}

TEST_P(fences, brings_exceptions_to_every_member_once) {
  run([](team const& world) {
    field f(world);
    fence(world);
    std::uint32_t const last = world.size() - 1;
    f.send(last, {.throws = 7});
    try {
      fence(world);
      ADD_FAILURE() << "the fence did not throw";
    } catch (sheaf::remote_error const& e) {
      EXPECT_EQ(e.count(), world.size());
      std::string const text = e.what();
      EXPECT_NE(text.find("grain 7 was told to throw"), text.npos) << text;
      EXPECT_NE(text.find("location " + std::to_string(last)), text.npos) << text;
    }
    fence(world);
    expect_all_finished(f);
  });
}

TEST_P(fences, of_the_world_brings_exceptions_of_all_teams) {
  run([](team const& world) {
    team const part = world.split(world.rank() == 0 ? 0 : 1);
    field f(part);
    fence(world);
    if (world.rank() == 0) f.send(0, {.throws = 3});
    EXPECT_THROW(fence(world), sheaf::remote_error);
    EXPECT_NO_THROW(fence(part));
  });
}

TEST_P(fences, leaves_the_next_phases_requests_to_wait_for_request) {
  run([](team const& world) {
    field f(world);
    for (std::uint32_t round = 0; round < 20; ++round) {
      fence(world);
      for (std::uint32_t to = 0; to < world.size(); ++to) f.send(to, {.seed = round});
      for (std::uint32_t i = 0; i < world.size(); ++i) sheaf::wait_for_request();
      EXPECT_EQ(f.finished, std::uint64_t{world.size()} * (round + 1));
    }
  });
}

TEST_P(fences, three_requests_in_one_buffer_satisfy_three_waits) {
  run([](team const& world) {
    field f(world);
    fence(world);
    std::uint32_t const next = (world.rank() + 1) % world.size();
    for (int i = 0; i < 3; ++i) f.send(next, {});
    sheaf::flush();
    for (int i = 0; i < 3; ++i) sheaf::wait_for_request();
    EXPECT_EQ(f.finished, 3u);
  });
}

/// A request that calls a fence.
struct fencing_handler {
  static constexpr sheaf::detail::type_token object_type = nullptr;
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = 1;
  static void run(location& here, void*, sheaf::detail::execution& state) {
    sheaf::detail::run_guarded(here, state, [&] {
      ++state.at;
      sheaf::fence(sheaf::world());
    });
  }
};

TEST(fence_replies, the_world_waits_for_those_of_every_team) {
  setting const two{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination};
  run_job(two.options(), [](team const& world) {
    team const part = world.split(world.rank());
    EXPECT_TRUE(here_of(world).in().quiet(state_of(world)));
    ++state_of(part).awaited;
    EXPECT_FALSE(here_of(world).in().quiet(state_of(world)));
    --state_of(part).awaited;
  });
}

TEST(fence_errors, is_refused_in_a_handler) {
  setting const two{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination};
  run_job(two.options(), [](team const& world) {
    sheaf::run_tag const tag(sheaf::detail::handler_number<fencing_handler>, 0, 0);
    if (world.rank() == 0) *here_of(world).request_box(1).append(tag, 1) = std::byte{};
    try {
      fence(world);
      ADD_FAILURE() << "the fence did not throw";
    } catch (sheaf::remote_error const& e) {
      std::string const text = e.what();
      EXPECT_NE(text.find("fence was called in a remotely invoked method"), text.npos) << text;
    }
  });
}

TEST(fence_size, a_thousand_locations) {
  setting const many{sheaf::transport_kind::sim, 1000, sheaf::fence_form_kind::automatic};
  run_job(many.options(), [](team const& world) {
    field f(world);
    barrier(world);
    f.send((world.rank() * 7) % world.size(), {.depth = 2, .fan = 2, .seed = world.rank()});
    fence(world);
    EXPECT_EQ(all_reduce(world, f.finished, std::plus<>()), 7000u);
  });
}

TEST(fence_limits, every_cap_at_one) {
  for (auto const transport : {sheaf::transport_kind::thread, sheaf::transport_kind::sim}) {
    sheaf::options o;
    o.transport = transport;
    o.locations = 3;
    o.ring_slots = o.window = 1;
    o.buffer_bytes = 128;
    run_job(o.resolved(), [](team const& world) {
      field f(world);
      for (std::uint32_t round = 0; round < 5; ++round) {
        for (std::uint32_t to = 0; to < world.size(); ++to) f.send(to, {.depth = 4, .fan = 3, .seed = round * 64 + to});
        fence(world);
        expect_all_finished(f);
      }
    });
  }
}

}  // namespace
