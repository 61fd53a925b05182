// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/mpi_endpoint.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <span>

#include "transport/endpoint_cases.hpp"
#include "transport/fake_launch.hpp"

namespace sheaf_test {
namespace {

using sheaf::mpi::limits;

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

class mpi_endpoint_over_a_fake : public testing::TestWithParam<unsigned> {};

TEST_P(mpi_endpoint_over_a_fake, passes_the_suite) {
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(play(what, job(GetParam(), 1), ordinary), "");
}

TEST_P(mpi_endpoint_over_a_fake, passes_the_suite_in_fair_weather) {
  for (endpoint_case const& what : endpoint_cases) {
    EXPECT_EQ(play(what, job(GetParam(), 1), ordinary, fair_weather), "");
  }
}

TEST_P(mpi_endpoint_over_a_fake, passes_the_suite_where_processes_share_memory) {
  for (std::uint32_t const slots : {1u, 16u}) {
    weather shared;
    shared.host_slots = slots;
    for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(play(what, job(GetParam(), 1), ordinary, shared), "");
  }
}

TEST_P(mpi_endpoint_over_a_fake, passes_the_suite_with_every_limit_at_one) {
  for (endpoint_case what : endpoint_cases) {
    if (what.range == sizes::any) what.range = sizes::brief;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(play(what, job(GetParam(), seed), all_at_one), "");
  }
}

TEST_P(mpi_endpoint_over_a_fake, a_failure_reaches_every_location) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) EXPECT_EQ(play(failure_case, job(GetParam(), seed), ordinary), "");
}

INSTANTIATE_TEST_SUITE_P(locations, mpi_endpoint_over_a_fake, testing::Values(1, 2, 3, 4, 7, 8),
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

TEST(mpi_endpoint_seeds, ordinary_limits) { play_many_seeds(ordinary, 3); }
TEST(mpi_endpoint_seeds, tiny_packets_two_locations) { play_many_seeds(tiny_packets, 2); }
TEST(mpi_endpoint_seeds, tiny_packets_four_locations) { play_many_seeds(tiny_packets, 4); }
TEST(mpi_endpoint_seeds, every_limit_at_one_two_locations) { play_many_seeds(all_at_one, 2); }
TEST(mpi_endpoint_seeds, every_limit_at_one_three_locations) { play_many_seeds(all_at_one, 3); }

/// Rings of two slots are full again and again, so that packets of a pair go both ways.
TEST(mpi_endpoint_seeds, shared_memory) {
  weather shared;
  shared.host_slots = 2;
  play_many_seeds(ordinary, 3, shared);
  play_many_seeds(tiny_packets, 4, shared);
  play_many_seeds(all_at_one, 2, shared);
}

/// Two endpoints, called in turn without fibers.
struct pair_of_endpoints {
  explicit pair_of_endpoints(limits const& l, weather w = fair_weather)
      : network(2, 1, w, [] {}),
        rings(2, 2, w.host_slots),
        a(network.at(0), l, {}, rings.of(0)),
        b(network.at(1), l, {}, rings.of(1)) {}

  static arrival take(endpoint& at) {
    arrival in;
    for (int i = 0; i < 1000; ++i) {
      if (at.receive(wanted::all, in)) return in;
    }
    ADD_FAILURE() << "nothing arrives";
    return in;
  }

  static void take_nothing(endpoint& at) {
    arrival in;
    EXPECT_FALSE(at.receive(wanted::all, in));
  }

  fake_network network;
  ring_memory rings;
  sheaf::mpi::mpi_endpoint a;
  sheaf::mpi::mpi_endpoint b;
};

constexpr location_id first{0};
constexpr location_id second{1};
std::byte const word[8] = {};

TEST(mpi_endpoint, a_request_and_its_answer_are_two_packets) {
  pair_of_endpoints job(ordinary);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
    arrival const request = job.take(job.b);
    ASSERT_TRUE(job.b.send_inline(first, traffic::answer, word));
    job.b.consumed(request.source, request.kind);
    arrival const answer = job.take(job.a);
    job.a.consumed(answer.source, answer.kind);
  }
  EXPECT_EQ(job.network.packets(), 2000u);
}

weather sharing(std::uint32_t slots) {
  weather w = fair_weather;
  w.host_slots = slots;
  return w;
}

TEST(mpi_endpoint, short_packets_between_processes_of_a_host_are_no_messages) {
  pair_of_endpoints job(ordinary, sharing(16));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
    arrival const request = job.take(job.b);
    job.b.consumed(request.source, request.kind);
    job.take_nothing(job.a);
  }
  for (std::uint32_t round = 0; round < 100; ++round) job.b.idle(round, 1);
  job.take_nothing(job.a);
  EXPECT_EQ(job.a.backlog(second, traffic::request), 0u) << "acknowledgements go the same way";
  EXPECT_EQ(job.network.packets(), 0u);
}

/// A message that MPI needs its sender for holds up its own class alone, however long that one computes.
TEST(mpi_endpoint, an_answer_passes_a_request_whose_send_has_not_ended) {
  weather one_hangs_back = sharing(16);
  one_hangs_back.first_late = 10'000;
  one_hangs_back.eager_bytes = 64;
  pair_of_endpoints job(ordinary, one_hangs_back);
  sheaf::buffer longer = job.a.acquire(second, 512);
  longer.set_size(512);
  ASSERT_TRUE(job.a.send(second, traffic::request, longer));
  ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
  EXPECT_EQ(job.network.packets(), 2u);
  ASSERT_TRUE(job.a.send_inline(second, traffic::answer, word));
  EXPECT_EQ(job.network.packets(), 2u) << "an answer finds the ring free";
  EXPECT_EQ(job.take(job.b).kind, traffic::answer);
}

/// A location that is about to yield or to sleep misses nobody.
TEST(mpi_endpoint, one_receive_looks_at_all_processes_of_the_host) {
  constexpr std::uint32_t processes = 20;
  fake_network network(processes, 1, fair_weather, [] {});
  ring_memory rings(processes, processes, 4);
  sheaf::mpi::mpi_endpoint receiver(network.at(0), ordinary, {}, rings.of(0));
  for (std::uint32_t rank = 1; rank < processes; ++rank) {
    sheaf::mpi::mpi_endpoint sender(network.at(rank), ordinary, {}, rings.of(rank));
    ASSERT_TRUE(sender.send_inline(first, traffic::request, word));
    arrival in;
    ASSERT_TRUE(receiver.receive(wanted::all, in));
    EXPECT_EQ(in.source, location_id{rank});
    receiver.consumed(in.source, in.kind);
  }
}

TEST(mpi_endpoint, sequence_numbers_may_pass_the_end_of_32_bits) {
  pair_of_endpoints job(ordinary, sharing(2));
  auto const request = static_cast<std::size_t>(traffic::request);
  job.a.inner().peers[1].out[request].sequence = UINT32_MAX - 100;
  job.b.inner().peers[0].in[request].expected = UINT32_MAX - 100;
  for (std::uint32_t i = 0; i < 300; ++i) {
    std::uint32_t const burst = i % 4;  // the third does not fit the ring
    for (std::uint32_t n = 0; n < burst; ++n) ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
    for (std::uint32_t n = 0; n < burst; ++n) {
      arrival const in = job.take(job.b);
      job.b.consumed(in.source, in.kind);
    }
    job.take_nothing(job.a);
  }
  EXPECT_GT(job.network.packets(), 0u);
}

/// Its number, modulo that of the numbers that travel, is the one that is awaited.
TEST(mpi_endpoint, a_packet_in_a_ring_is_not_taken_for_one_4096_before_it) {
  limits many = ordinary;
  many.ring_slots = many.window = 8192;
  weather one_hangs_back = sharing(16);
  one_hangs_back.first_late = 50'000;
  pair_of_endpoints job(many, one_hangs_back);
  arrival in;
  for (std::uint32_t i = 0; i < sheaf::mpi::sequences; ++i) {
    sheaf::buffer longer = job.a.acquire(second, 512);
    longer.set_size(512);
    ASSERT_TRUE(job.a.send(second, traffic::request, longer));
    job.take_nothing(job.b);
    job.a.idle(15, 1);  // finds the sends that have ended
  }
  ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
  ASSERT_EQ(job.network.packets(), sheaf::mpi::sequences) << "it lies in the ring";
  job.take_nothing(job.b);
  for (std::uint32_t look = 0; look < 100'000 && !job.b.receive(wanted::all, in); ++look) continue;
  EXPECT_EQ(in.bytes.size(), 512u);
}

/// The first entry is too long for a ring, and late; the next ones fill the ring, and the rest is sent as messages that
/// are there before it: more of them than there are sequence numbers.
TEST(mpi_endpoint, who_overtakes_in_shared_memory_waits_for_its_turn) {
  limits many = ordinary;
  many.ring_slots = 8192;
  weather one_hangs_back = sharing(16);
  one_hangs_back.first_late = 10'000;
  pair_of_endpoints job(many, one_hangs_back);
  constexpr std::uint32_t requests = 5000;
  sheaf::buffer longer = job.a.acquire(second, 512);
  longer.set_size(512);
  ASSERT_TRUE(job.a.send(second, traffic::request, longer));
  arrival in;
  for (std::uint32_t i = 0; i < requests; ++i) {
    ASSERT_TRUE(job.a.send_inline(second, traffic::request, std::as_bytes(std::span(&i, 1))));
    ASSERT_FALSE(job.b.receive(wanted::all, in)) << "before the first one nothing may come";
  }
  EXPECT_EQ(job.network.packets(), 1 + requests - 16);
  for (std::uint32_t look = 0; look < 100'000 && !job.b.receive(wanted::all, in); ++look) continue;
  ASSERT_EQ(in.bytes.size(), 512u);
  job.b.consumed(in.source, in.kind);
  for (std::uint32_t i = 0; i < requests; ++i) {
    in = job.take(job.b);
    std::uint32_t value = 0;
    std::memcpy(&value, in.bytes.data(), sizeof value);
    ASSERT_EQ(value, i);
    job.b.consumed(in.source, in.kind);
  }
}

TEST(mpi_endpoint, a_packet_may_be_overtaken_by_all_that_credit_permits) {
  limits many = ordinary;
  many.ring_slots = 8192;
  weather one_hangs_back = fair_weather;
  one_hangs_back.first_late = 10'000;
  pair_of_endpoints job(many, one_hangs_back);
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

TEST(mpi_endpoint, one_way_traffic_is_acknowledged_once_per_half_window) {
  pair_of_endpoints job(ordinary);
  std::uint64_t const buffers = 100 * ordinary.window / 2;
  for (std::uint64_t i = 0; i < buffers; ++i) {
    buffer bytes = job.a.acquire(second, 4000);
    bytes.set_size(4000);
    while (!job.a.send(second, traffic::request, bytes)) {
      arrival none;
      ASSERT_FALSE(job.a.receive(wanted::all, none));
    }
    arrival const in = job.take(job.b);
    EXPECT_EQ(in.bytes.size(), 4000u);
    job.b.consumed(in.source, in.kind);
  }
  EXPECT_EQ(job.network.packets(), buffers + 100);
}

TEST(mpi_endpoint, one_way_inline_entries_are_acknowledged_once_per_half_ring) {
  pair_of_endpoints job(ordinary);
  std::uint64_t const entries = 100 * ordinary.ring_slots / 2;
  for (std::uint64_t i = 0; i < entries; ++i) {
    arrival none;
    while (!job.a.send_inline(second, traffic::request, word)) ASSERT_FALSE(job.a.receive(wanted::all, none));
    arrival const in = job.take(job.b);
    job.b.consumed(in.source, in.kind);
  }
  EXPECT_EQ(job.network.packets(), entries + 100);
}

TEST(mpi_endpoint, debts_are_paid_before_they_outgrow_a_header) {
  limits l = ordinary;
  l.ring_slots = 1 << 20;
  pair_of_endpoints job(l);
  constexpr std::uint64_t at_once = sheaf::mpi::most_consumed / 2;
  for (std::uint64_t i = 0; i < 5 * at_once; ++i) {
    ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
    arrival const in = job.take(job.b);
    job.b.consumed(in.source, in.kind);
  }
  EXPECT_EQ(job.network.packets(), 5 * at_once + 5);
  arrival none;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(job.a.receive(wanted::all, none));
  EXPECT_EQ(job.a.backlog(second, traffic::request), 0u);
}

/// Half of the receives stay posted, whatever the caller keeps; what comes beyond that is copied, in its order.
TEST(mpi_endpoint, entries_that_are_kept_do_not_stop_others) {
  pair_of_endpoints job(ordinary);
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

TEST(mpi_endpoint, an_idle_receiver_lets_the_backlog_go_to_zero) {
  pair_of_endpoints job(ordinary);
  ASSERT_TRUE(job.a.send_inline(second, traffic::request, word));
  arrival in = job.take(job.b);
  job.b.consumed(in.source, in.kind);
  EXPECT_EQ(job.a.backlog(second, traffic::request), 1u);
  for (std::uint32_t round = 0; round < 100; ++round) job.b.idle(round, 1);
  EXPECT_FALSE(job.a.receive(wanted::all, in));
  EXPECT_EQ(job.a.backlog(second, traffic::request), 0u);
}

/// Sends raw bytes as process 1 and expects process 0 to refuse them.
void expect_refusal(endpoint& at, std::string const& why) {
  try {
    arrival in;
    for (int i = 0; i < 100; ++i) at.receive(wanted::all, in);
    ADD_FAILURE() << "taken although " << why;
  } catch (sheaf::error const& e) {
    EXPECT_EQ(e.what(), "MPI rank 0 received a damaged packet from rank 1: " + why);
  }
}

void expect_damaged(std::vector<std::byte> const& packet, std::string const& why) {
  fake_network network(2, 1, fair_weather, [] {});
  sheaf::mpi::mpi_endpoint at(network.at(0), ordinary, {});
  static_cast<void>(network.at(1).start_send(0, 0, packet));
  expect_refusal(at, why);
}

std::vector<std::byte> packet(sheaf::mpi::packet_header const& h, std::size_t payload, std::uint64_t begin = 0) {
  std::byte room[64] = {};
  std::byte* const at = room + 8;
  std::memcpy(at, &begin, sizeof begin);
  sheaf::mpi::write_header(at, h);
  return {at - sheaf::mpi::header_bytes, at + payload};
}

/// The same of packets in a ring, one after the other.
void expect_damaged_in_ring(std::vector<std::pair<std::vector<std::byte>, std::uint32_t>> const& packets,
                            std::string const& why, limits const& l = ordinary,
                            std::vector<std::byte> const& by_wire = {}) {
  fake_network network(2, 1, fair_weather, [] {});
  ring_memory rings(2, 2, 4);
  sheaf::mpi::mpi_endpoint at(network.at(0), l, {}, rings.of(0));
  if (!by_wire.empty()) static_cast<void>(network.at(1).start_send(0, 0, by_wire));
  sheaf::mpi::host_rings forger = rings.of(1);
  for (auto const& [bytes, sequence] : packets) {
    std::byte* const room = forger.room(0, bytes.size());
    ASSERT_NE(room, nullptr);
    std::memcpy(room, bytes.data(), bytes.size());
    forger.ship(0, bytes.size(), sequence);
  }
  expect_refusal(at, why);
}

std::vector<std::byte> ring_packet(sheaf::mpi::packet_header const& h, std::size_t payload) {
  std::vector<std::byte> all(sheaf::mpi::host_header + payload);
  sheaf::mpi::write_header(all.data() + sheaf::mpi::host_header, h);
  return all;
}

TEST(mpi_endpoint, damaged_packets_in_a_ring_are_errors) {
  using sheaf::mpi::packet_kind;
  expect_damaged_in_ring({{std::vector<std::byte>(sheaf::mpi::host_header - 1), 0}}, "its length is not possible");
  std::string const header = "its header is not possible";
  expect_damaged_in_ring({{ring_packet({packet_kind{3}}, 8), 0}}, header);
  expect_damaged_in_ring({{ring_packet({packet_kind::request}, 0), 0}}, header);
  expect_damaged_in_ring({{ring_packet({packet_kind::answer, 1, 1}, 8), 0}}, header);
  expect_damaged_in_ring({{ring_packet({packet_kind::request}, 8), 1}}, header);
  expect_damaged_in_ring({{ring_packet({packet_kind::request}, 100), 0}}, header, tiny_packets);
  expect_damaged_in_ring({{ring_packet({packet_kind::answer, 0, 0, 1}, 8), 1}}, "a part is missing before it", ordinary,
                         packet({packet_kind::answer, 1, 1}, 8, 10'000));
  auto const one = ring_packet({packet_kind::request}, 8);
  expect_damaged_in_ring({{one, 0}, {one, 0}}, "it came twice");
  expect_damaged_in_ring({{ring_packet({packet_kind::acknowledgement, 0, 0, 0, {0, 1}}, 0), 0}},
                         "it acknowledges what was not sent");
}

TEST(mpi_endpoint, damaged_packets_are_errors) {
  using sheaf::mpi::packet_kind;
  expect_damaged(std::vector<std::byte>(sheaf::mpi::header_bytes - 1), "its length is not possible");
  expect_damaged(packet({packet_kind{3}}, 8), "its header is not possible");
  expect_damaged(packet({packet_kind::request}, 0), "its header is not possible");
  expect_damaged(packet({packet_kind::request, 0, 0, sheaf::mpi::sequences - 1}, 8), "it came twice");
  expect_damaged(packet({packet_kind::acknowledgement, 0, 0, 0, {0, 1}}, 0), "it acknowledges what was not sent");
  expect_damaged(packet({packet_kind::answer, 1, 1}, 7), "the size of an entry is missing");
  expect_damaged(packet({packet_kind::answer, 1, 1}, 8, 4096), "the size of an entry is not possible");
}

}  // namespace
}  // namespace sheaf_test
