// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/engine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <span>

#include "transport/endpoint_cases.hpp"
#include "transport/fake_launch.hpp"

namespace sheaf_test {
namespace {

using sheaf::net::limits;

options job(unsigned locations, std::uint64_t seed) {
  options o;
  o.transport = sheaf::transport_kind::mpi;
  o.locations = locations;
  o.seed = seed;
  return o;
}

std::string play(endpoint_case const& what, options o, limits const& l, weather w = {}) {
  o.ring_slots = l.ring_slots;
  o.window = l.window;
  auto const launch = [&](options const& settings, sheaf::location_body& body) {
    fake_job(settings, l, w, body).run();
  };
  std::string const wrong = run_endpoint_case(what, launch, o);
  return wrong.empty() ? "" : std::string(what.name) + ", seed " + std::to_string(o.seed) + ": " + wrong;
}

constexpr limits ordinary = {4096, 192, 8, 64, 8};
constexpr limits tiny_packets = {64, 56, 4, 16, 4};
constexpr limits all_at_one = {64, 56, 1, 1, 1};

class processes_over_a_fake : public testing::TestWithParam<unsigned> {};

TEST_P(processes_over_a_fake, passes_the_suite) {
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(play(what, job(GetParam(), 1), ordinary), "");
}

TEST_P(processes_over_a_fake, passes_the_suite_in_fair_weather) {
  for (endpoint_case const& what : endpoint_cases) {
    EXPECT_EQ(play(what, job(GetParam(), 1), ordinary, fair_weather), "");
  }
}

TEST_P(processes_over_a_fake, passes_the_suite_where_processes_share_memory) {
  if (GetParam() < 3) GTEST_SKIP() << "fibers change in looks at the wire, which needs a process on another host";
  weather shared;
  shared.shares = true;
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(play(what, job(GetParam(), 1), ordinary, shared), "");
}

TEST_P(processes_over_a_fake, passes_the_suite_with_every_limit_at_one) {
  for (endpoint_case what : endpoint_cases) {
    if (what.range == sizes::any) what.range = sizes::brief;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(play(what, job(GetParam(), seed), all_at_one), "");
  }
}

TEST_P(processes_over_a_fake, a_failure_reaches_every_location) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) EXPECT_EQ(play(failure_case, job(GetParam(), seed), ordinary), "");
}

INSTANTIATE_TEST_SUITE_P(locations, processes_over_a_fake, testing::Values(1, 2, 3, 4, 7, 8),
                         [](auto const& i) { return "n" + std::to_string(i.param); });

/// Short traffic of every kind, for many seeds: echoes, cut entries and all credits used up again and again.
void play_short(player& p, options const&) {
  constexpr std::uint64_t each = 12;
  auto const echo = [&](arrival const& in) {
    if (in.kind == traffic::request) p.post(in.source, traffic::answer);
  };
  for (std::uint64_t i = 0; i < each; ++i) {
    for (std::uint32_t d = 0; d < p.size(); ++d) p.post(location_id{d}, traffic::request);
  }
  std::uint64_t const all = each * p.size();
  p.until([&] { return p.received(traffic::request) == all && p.received(traffic::answer) >= all; }, wanted::all, echo);
  p.finish(all);
}

/// SHEAF_TEST_SEEDS in the environment asks for more seeds.
void play_many_seeds(limits const& l, unsigned locations, weather const& w = {}) {
  constexpr endpoint_case brief = {"short", sizes::brief, play_short};
  char const* const asked = std::getenv("SHEAF_TEST_SEEDS");
  std::uint64_t const seeds = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 300;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    ASSERT_EQ(play(brief, job(locations, seed), l, w), "") << locations << " locations, window " << l.window;
  }
}

TEST(processes_seeds, ordinary_limits) { play_many_seeds(ordinary, 3); }
TEST(processes_seeds, tiny_packets_two_locations) { play_many_seeds(tiny_packets, 2); }
TEST(processes_seeds, tiny_packets_four_locations) { play_many_seeds(tiny_packets, 4); }
TEST(processes_seeds, every_limit_at_one_two_locations) { play_many_seeds(all_at_one, 2); }
TEST(processes_seeds, every_limit_at_one_three_locations) { play_many_seeds(all_at_one, 3); }

TEST(processes_seeds, shared_memory) {
  weather shared;
  shared.shares = true;
  play_many_seeds(ordinary, 3, shared);
  play_many_seeds(tiny_packets, 4, shared);
  play_many_seeds(all_at_one, 3, shared);
}

/// Two locations that are processes, called in turn without fibers.
struct pair_of_locations {
  explicit pair_of_locations(limits const& l, weather w = fair_weather)
      : network(2, 1, w, [] {}), one(network.at(0), l), other(network.at(1), l) {}

  static arrival take(endpoint& at) {
    arrival in;
    for (int i = 0; i < 1000; ++i) {
      if (at.receive(wanted::all, in)) return in;
    }
    ADD_FAILURE() << "nothing arrives";
    return in;
  }

  fake_network network;
  lone_location one, other;
  endpoint& a = one.connection;
  endpoint& b = other.connection;
};

constexpr location_id first{0};
constexpr location_id second{1};
std::byte const word[8] = {};

TEST(net_engine, withdraws_its_receives_before_their_rooms_are_freed) {
  fake_network network(2, 1, fair_weather, [] {});
  {
    sheaf::net::engine e(network.at(0), ordinary);
    EXPECT_EQ(network.receives_posted(0), ordinary.receives);
  }
  EXPECT_EQ(network.receives_posted(0), 0u);
}

TEST(net_engine, a_packet_may_be_overtaken_by_all_that_credit_permits) {
  limits many = ordinary;
  many.ring_slots = many.window = 8192;
  weather one_hangs_back = fair_weather;
  one_hangs_back.first_late = 10'000;
  pair_of_locations job(many, one_hangs_back);
  constexpr std::uint32_t requests = 5000;  // more than there are sequence numbers
  arrival in;
  for (std::uint32_t i = 0; i < requests; ++i) {
    ASSERT_TRUE(job.a.send_inline(second, traffic::request, std::as_bytes(std::span(&i, 1))));
    ASSERT_FALSE(job.b.receive(wanted::all, in)) << "before the first one nothing may come";
  }
  std::uint32_t next = 0;
  for (std::uint32_t look = 0; look < 100'000 && next < requests; ++look) {
    if (!job.b.receive(wanted::all, in)) continue;
    std::uint32_t value = 0;
    std::memcpy(&value, in.bytes.data(), sizeof value);
    ASSERT_EQ(value, next++);
    job.b.consumed(in.source, in.kind);
  }
  EXPECT_EQ(next, requests);
}

/// Half of the receives stay posted, whatever the caller keeps; what comes beyond that is copied, in its order.
TEST(net_engine, entries_that_are_kept_do_not_stop_others) {
  limits many = ordinary;
  many.window = many.ring_slots;
  pair_of_locations job(many);
  for (std::uint64_t i = 0; i < 3 * ordinary.receives; ++i) {
    ASSERT_TRUE(job.a.send_inline(second, traffic::request, std::as_bytes(std::span(&i, 1))));
  }
  arrival in = job.take(job.b);
  ASSERT_TRUE(job.a.send_inline(second, traffic::answer, word));
  arrival const other = job.take(job.b);
  EXPECT_EQ(other.kind, traffic::answer);
  job.b.consumed(other.source, other.kind);
  for (std::uint64_t i = 0; i < 3 * ordinary.receives; ++i) {
    if (i != 0) in = job.take(job.b);
    std::uint64_t value = 0;
    ASSERT_EQ(in.bytes.size(), sizeof value);
    std::memcpy(&value, in.bytes.data(), sizeof value);
    EXPECT_EQ(value, i);
    job.b.consumed(in.source, in.kind);
  }
}

TEST(net_engine, an_idle_receiver_lets_the_backlog_go_to_zero) {
  pair_of_locations job(ordinary);
  ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
  arrival in = job.take(job.b);
  job.b.consumed(in.source, in.kind);
  EXPECT_EQ(job.a.backlog(second, traffic::request), 1u);
  for (std::uint32_t round = 0; round < 100; ++round) job.b.idle(round, 1);
  EXPECT_FALSE(job.a.receive(wanted::all, in));
  EXPECT_EQ(job.a.backlog(second, traffic::request), 0u);
}

/// Sends raw bytes as process 1 and expects process 0 to refuse them.
void expect_damaged(std::vector<std::byte> const& packet, std::string const& why) {
  fake_network network(2, 1, fair_weather, [] {});
  sheaf::net::engine at(network.at(0), ordinary);
  static_cast<void>(network.at(1).start_send(0, 0, packet));
  try {
    for (int i = 0; i < 100; ++i) at.poll();
    ADD_FAILURE() << "taken although " << why;
  } catch (sheaf::error const& e) {
    EXPECT_EQ(e.what(), "MPI rank 0 received a damaged packet from rank 1: " + why);
  }
}

std::vector<std::byte> packet(sheaf::net::packet_header const& h, std::size_t payload, std::uint64_t begin = 0) {
  std::byte room[64] = {};
  std::byte* const at = room + 8;
  std::memcpy(at, &begin, sizeof begin);
  sheaf::net::write_header(at, h);
  return {at - sheaf::net::header_bytes, at + payload};
}

TEST(net_engine, damaged_packets_are_errors) {
  using sheaf::net::packet_kind;
  expect_damaged(std::vector<std::byte>(sheaf::net::header_bytes - 1), "its length is not possible");
  expect_damaged(packet({packet_kind{3}}, 8), "its header is not possible");
  expect_damaged(packet({packet_kind::request}, 0), "its header is not possible");
  expect_damaged(packet({packet_kind::request, 0, 0, sheaf::net::sequences - 1}, 8), "it came twice");
  expect_damaged(packet({packet_kind::acknowledgement, 0, 0, 0, {0, 1}}, 0), "it acknowledges what was not sent");
  expect_damaged(packet({packet_kind::answer, 1, 1}, 7), "the size of an entry is missing");
  expect_damaged(packet({packet_kind::answer, 1, 1}, 8, 4096), "the size of an entry is not possible");
}

/// Whatever size is stated, memory is taken for what comes.
TEST(net_engine, parts_of_an_entry_that_states_an_impossible_size_stay_within_their_memory) {
  for (std::uint64_t const size : {~std::uint64_t{0}, ~std::uint64_t{0} - 40, std::uint64_t{1} << 62}) {
    fake_network network(2, 1, fair_weather, [] {});
    sheaf::net::engine at(network.at(0), ordinary);
    static_cast<void>(network.at(1).start_send(0, 0, packet({sheaf::net::packet_kind::request, 1, 1, 0}, 8, size)));
    for (std::uint32_t part = 1; part <= 100; ++part) {
      std::vector<std::byte> bytes = packet({sheaf::net::packet_kind::request, 1, 1, part}, 8);
      bytes.resize(sheaf::net::header_bytes + ordinary.payload);
      static_cast<void>(network.at(1).start_send(part, 0, bytes));
    }
    for (int look = 0; look < 1000; ++look) at.poll();
    EXPECT_FALSE(at.in.has(wanted::all)) << "it is not complete";
  }
}

}  // namespace
}  // namespace sheaf_test
