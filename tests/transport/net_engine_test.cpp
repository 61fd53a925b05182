// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/gateway.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

#include "transport/endpoint_cases.hpp"
#include "transport/fake_launch.hpp"

namespace sheaf_test {
namespace {

using sheaf::buffer;
using sheaf::net::engine;
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

constexpr limits ordinary = {4096, 8, 64, 8};
constexpr limits tiny_packets = {128, 4, 16, 4};
constexpr limits all_at_one = {128, 1, 1, 1};

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
      : network(2, 1, w, [] {}), one(network, 0, l), other(network, 1, l) {}

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
    sheaf::net::engine e(network.processes(0), network.at(0), ordinary);
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
  constexpr std::uint32_t requests = 5000;
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

// ---- The engine alone ----------------------------------------------------------------------------------------------

/// Two processes over a fake network.
struct two_engines {
  explicit two_engines(limits const& l, weather w = fair_weather, std::uint64_t seed = 1)
      : network(2, seed, w, [] {}),
        one(network.processes(0), network.at(0), l),
        other(network.processes(1), network.at(1), l) {}

  static buffer packet(engine& of, std::size_t bytes, std::uint32_t number) {
    buffer b = of.take(bytes);
    std::memset(b.data(), static_cast<int>(number), bytes);
    b.set_size(bytes);
    return b;
  }
  /// The sizes of all packets that come, in order; what they hold is checked. Both look `looks` times.
  std::vector<std::size_t> all_to_other(int looks = 2000) {
    std::vector<std::size_t> sizes;
    for (int i = 0; i < looks; ++i) {
      one.poll();
      other.poll();
      for (; auto const* in = other.front(); other.pop()) {
        std::byte const expected{static_cast<unsigned char>(sizes.size())};
        EXPECT_TRUE(std::all_of(in->block.data(), in->block.data() + in->block.size(),
                                [&](std::byte b) { return b == expected; }));
        sizes.push_back(in->block.size());
      }
    }
    return sizes;
  }

  fake_network network;
  engine one, other;
};

TEST(net_engine, packets_come_once_and_in_order_over_a_wire_that_keeps_no_order) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    two_engines e(tiny_packets, {}, seed);
    std::vector<std::size_t> const sizes = {1, 64, 63, 2, 3, 64, 63, 50, 7};
    for (std::uint32_t i = 0; i < sizes.size(); ++i) e.one.send(1, e.packet(e.one, sizes[i], i));
    EXPECT_EQ(e.all_to_other(), sizes) << seed;
    EXPECT_TRUE(e.one.done());
  }
}

/// A wire that refuses everything for a while.
class refusing_wire final : public sheaf::net::wire {
 public:
  explicit refusing_wire(sheaf::net::wire& under) : under_(under) {}
  sheaf::host_memory& memory() noexcept override { return under_.memory(); }
  sent start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) override {
    ++asked;
    return open ? under_.start_send(slot, dest, packet) : sent::try_again;
  }
  bool start_receive(std::uint32_t slot, std::span<std::byte> room) override {
    return takes_rooms && under_.start_receive(slot, room);
  }
  std::size_t poll(std::span<sheaf::net::completion> done) override { return under_.poll(done); }
  void withdraw_receives() noexcept override { under_.withdraw_receives(); }
  void close() noexcept override {}

  bool open = false;
  bool takes_rooms = true;
  int asked = 0;

 private:
  sheaf::net::wire& under_;
};

TEST(net_engine, what_the_wire_refuses_is_kept_and_tried_again_at_each_poll) {
  fake_network network(2, 1, fair_weather, [] {});
  refusing_wire line(network.at(0));
  engine one(network.processes(0), line, tiny_packets);
  for (std::uint32_t i = 0; i < 10; ++i) one.send(1, two_engines::packet(one, 8, i));
  int const before = line.asked;
  for (int i = 0; i < 5; ++i) one.poll();
  EXPECT_EQ(line.asked, before + 5) << "only the first is tried";
  EXPECT_FALSE(one.done());
  line.open = true;
  for (int i = 0; i < 100; ++i) one.poll();
  EXPECT_EQ(network.packets(), 10u);
}

/// A wire that takes no rooms for a while.
TEST(net_engine, a_room_that_the_wire_does_not_take_is_offered_again) {
  fake_network network(2, 1, fair_weather, [] {});
  refusing_wire line(network.at(0));
  line.takes_rooms = false;
  engine one(network.processes(0), line, tiny_packets);
  one.poll();
  EXPECT_EQ(network.receives_posted(0), 0u);
  line.takes_rooms = true;
  one.poll();
  EXPECT_EQ(network.receives_posted(0), tiny_packets.receives);
}

TEST(net_engine, two_wires_in_a_process_know_nothing_of_each_other) {
  two_engines left(ordinary, {}), right(ordinary, {}, 2);
  for (std::uint32_t i = 0; i < 50; ++i) {
    left.one.send(1, left.packet(left.one, 10, i));
    right.one.send(1, right.packet(right.one, 20, i));
  }
  EXPECT_EQ(left.all_to_other(), std::vector<std::size_t>(50, 10));
  EXPECT_EQ(right.all_to_other(), std::vector<std::size_t>(50, 20));
}

TEST(net_engine, its_memory_is_the_wires_and_goes_back) {
  fake_network network(2, 1, fair_weather, [] {});
  {
    engine e(network.processes(0), network.at(0), ordinary);
    EXPECT_GE(network.memory_in_use(0), ordinary.receives * ordinary.payload);
  }
  EXPECT_EQ(network.memory_in_use(0), 0u);
}

/// Who has come to the end sends no more, but has to take what was sent to it.
TEST(net_engine, the_end_waits_for_all_that_was_sent) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    two_engines e(tiny_packets, {}, seed);
    for (std::uint32_t i = 0; i < 20; ++i) e.one.send(1, e.packet(e.one, 60, i));
    struct step {};
    bool ended[2] = {false, false};
    engine* const both[] = {&e.one, &e.other};
    for (int look = 0; look < 10'000 && !(ended[0] && ended[1]); ++look) {
      for (std::size_t i : {0u, 1u}) {
        if (ended[i]) continue;
        try {
          both[i]->finish([](std::uint32_t) { throw step(); });
          ended[i] = true;
        } catch (step) {
        }
      }
    }
    EXPECT_TRUE(ended[0] && ended[1]);
    EXPECT_EQ(e.one.packets() + e.other.packets(), 2 * e.network.packets()) << "all have come";
  }
}

/// Sends raw bytes as process 1 and expects process 0 to refuse them.
void expect_damaged(std::vector<std::byte> const& packet, std::string const& why) {
  fake_network network(2, 1, fair_weather, [] {});
  engine at(network.processes(0), network.at(0), ordinary);
  network.forge(1, 0, packet);
  try {
    for (int i = 0; i < 100; ++i) at.poll();
    ADD_FAILURE() << "taken although " << why;
  } catch (sheaf::error const& e) {
    EXPECT_EQ(e.what(), "process 0 received a damaged packet from process 1: " + why);
  }
}

std::vector<std::byte> packet(sheaf::net::packet_header const& h, std::size_t payload) {
  std::byte room[64] = {};
  std::byte* const at = room + sheaf::net::header_bytes;
  sheaf::net::write_header(at, h);
  return {room, at + payload};
}

TEST(net_engine, damaged_packets_are_errors) {
  using sheaf::net::packet_kind;
  expect_damaged(std::vector<std::byte>(sheaf::net::header_bytes - 1), "its length is not possible");
  expect_damaged(packet({0, packet_kind{2}}, 8), "its header is not possible");
  expect_damaged(packet({0, packet_kind::slices}, 0), "its header is not possible");
  expect_damaged(packet({0, packet_kind::call}, 8), "its header is not possible");
  expect_damaged(packet({~std::uint32_t{0}, packet_kind::slices}, 8), "it came twice");
}

TEST(net_engine, a_sequence_number_that_comes_again_before_its_turn_is_an_error) {
  fake_network network(2, 1, fair_weather, [] {});
  engine at(network.processes(0), network.at(0), ordinary);
  for (int i = 0; i < 2; ++i) network.forge(1, 0, packet({5, sheaf::net::packet_kind::slices}, 8));
  auto const look = [&] {
    for (int i = 0; i < 100; ++i) at.poll();
  };
  EXPECT_THROW(look(), sheaf::error);
}

}  // namespace
}  // namespace sheaf_test
