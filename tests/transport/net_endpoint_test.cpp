// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/net_endpoint.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <thread>

#include "transport/endpoint_cases.hpp"
#include "transport/fake_host.hpp"
#include "transport/fake_launch.hpp"
#include "transport/fake_wire.hpp"
#include "transport/lone_process.hpp"
#include "transport/net/meeting.hpp"

namespace sheaf_test {
namespace {

using sheaf::net::limits;
using sheaf::net::thread_level;

/// A wire of a fake network that several processes use at once, here threads; of any level.
class shared_wire final : public sheaf::net::wire {
 public:
  shared_wire(sheaf::net::wire& under, std::mutex& lock, thread_level level)
      : under_(under), lock_(lock), level_(level) {}

  sheaf::host_memory& memory() noexcept override { return under_.memory(); }
  sent start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) override {
    std::lock_guard const hold(used_by());
    return under_.start_send(slot, dest, packet);
  }
  bool start_receive(std::uint32_t slot, std::span<std::byte> room) override {
    std::lock_guard const hold(used_by());
    return under_.start_receive(slot, room);
  }
  void withdraw_receives() noexcept override {
    std::lock_guard const hold(lock_);
    under_.withdraw_receives();
  }
  std::size_t poll(std::span<sheaf::net::completion> done) override {
    std::lock_guard const hold(used_by());
    return under_.poll(done);
  }
  void close() noexcept override {}

 private:
  /// Only the thread that opened it may use a wire of the level first_only.
  std::mutex& used_by() {
    EXPECT_TRUE(level_ == thread_level::one_at_a_time || std::this_thread::get_id() == opener_);
    return lock_;
  }

  sheaf::net::wire& under_;
  std::mutex& lock_;
  thread_level const level_;
  std::thread::id const opener_ = std::this_thread::get_id();
};

/// The processes of such a network, of any level.
class shared_bootstrap final : public sheaf::net::bootstrap {
 public:
  shared_bootstrap(sheaf::net::bootstrap& under, std::mutex& lock, thread_level level)
      : under_(under), lock_(lock), level_(level) {}
  thread_level level() const noexcept override { return level_; }
  std::uint32_t rank() const noexcept override { return under_.rank(); }
  std::uint32_t size() const noexcept override { return under_.size(); }
  void exchange(std::span<std::byte const> mine, std::span<std::byte> all) override { under_.exchange(mine, all); }
  std::optional<std::int64_t> sum(std::int64_t mine) override {
    std::lock_guard const hold(lock_);
    return under_.sum(mine);
  }
  void abort(std::uint32_t location, std::string_view reason) noexcept override {
    std::lock_guard const hold(lock_);
    under_.abort(location, reason);
  }
  void close() noexcept override {}

 private:
  sheaf::net::bootstrap& under_;
  std::mutex& lock_;
  thread_level const level_;
};

struct shape {
  std::uint32_t processes;
  std::uint32_t threads;
  thread_level level = thread_level::one_at_a_time;
};

void PrintTo(shape const& s, std::ostream* to) { *to << s.processes << "x" << s.threads; }

/// Plays all processes of a job in this one.
void play_job(shape const& form, limits const& sizes, weather w, options const& job, sheaf::location_body& body) {
  std::mutex lock;
  fake_network network(form.processes, job.seed, w, [] {});
  fake_host const host(form.processes, w.shares ? on_host(form.processes) : 0, form.threads);
  options local = job;
  local.locations = form.threads;
  auto const play = [&](std::uint32_t process) {
    shared_bootstrap all(network.processes(process), lock, form.level);
    shared_wire line(network.at(process), lock, form.level);
    try {
      sheaf::net::play_process(all, line, sizes, local, {}, body, host.of(process));
    } catch (sheaf::job_aborted const&) {  // the bodies know
    }
  };
  std::vector<std::thread> processes;
  for (std::uint32_t p = 1; p < form.processes; ++p) processes.emplace_back(play, p);
  play(0);
  for (std::thread& t : processes) t.join();
}

constexpr limits all_at_one = {128, 1, 1, 1};

std::string play(endpoint_case what, shape const& form, limits const& sizes, std::uint64_t seed, std::size_t budget = 0,
                 weather const& w = {}) {
  options o;
  o.transport = sheaf::transport_kind::hybrid;
  o.threads = form.threads;
  o.seed = seed;
  o.ring_slots = sizes.ring_slots;
  o.window = sizes.window;
  o.buffer_bytes = sizes.payload;
  o.buffer_budget = budget;
  o.yield_polls = 1 << 20;  // the fake counts its delays in looks, so looks must not be rare
  o = o.resolved();
  if (what.range == sizes::any && sizes.payload < 4096) what.range = sizes::brief;
  auto const launch = [&](options const& job, sheaf::location_body& body) { play_job(form, sizes, w, job, body); };
  std::string const wrong = run_endpoint_case(what, launch, o);
  return wrong.empty() ? "" : std::string(what.name) + ", seed " + std::to_string(seed) + ": " + wrong;
}

class net_endpoint_over_a_fake : public testing::TestWithParam<shape> {};

TEST_P(net_endpoint_over_a_fake, passes_the_suite) {
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(play(what, GetParam(), ordinary, 1), "");
}

TEST_P(net_endpoint_over_a_fake, passes_the_suite_where_processes_share_memory) {
  weather shared;
  shared.shares = true;
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(play(what, GetParam(), ordinary, 1, 0, shared), "");
}

TEST(net_endpoint, passes_the_suite_with_every_limit_at_one) {
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(play(what, {2, 2}, all_at_one, 1), "");
}

TEST(net_endpoint, passes_the_suite_with_one_packet_at_a_time) {
  for (endpoint_case const& what : endpoint_cases) {
    if (what.play == &play_window_full) continue;  // the budget leaves each pair of a host one buffer
    EXPECT_EQ(play(what, {3, 2}, ordinary, 1, 1), "");
  }
}

TEST_P(net_endpoint_over_a_fake, a_failure_reaches_every_location) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(play(failure_case, GetParam(), ordinary, seed), "");
}

INSTANTIATE_TEST_SUITE_P(shapes, net_endpoint_over_a_fake,
                         testing::Values(shape{1, 1}, shape{1, 3}, shape{2, 1}, shape{2, 2}, shape{3, 2}, shape{2, 4},
                                         shape{2, 3, thread_level::first_only}),
                         [](auto const& i) {
                           std::string const form =
                               std::to_string(i.param.processes) + "x" + std::to_string(i.param.threads);
                           return i.param.level == thread_level::first_only ? form + "_first_only" : form;
                         });

// ---- Its parts ---------------------------------------------------------------------------------------------------

TEST(net_slice, keeps_every_field) {
  using sheaf::net::slice;
  using sheaf::net::slice_kind;
  for (slice const& s : {slice{slice_kind::request, false, 0, 0, 1}, slice{slice_kind::credit, true, 1023, 0, 8},
                         slice{slice_kind::answer, true, 5, 1023, ~std::uint32_t{0}, true}}) {
    std::byte room[slice::header_bytes];
    s.write(room);
    slice const r = slice::read(room);
    EXPECT_EQ(r.kind, s.kind);
    EXPECT_EQ(r.counts_window, s.counts_window);
    EXPECT_EQ(r.source_lane, s.source_lane);
    EXPECT_EQ(r.dest_lane, s.dest_lane);
    EXPECT_EQ(r.bytes, s.bytes);
    EXPECT_EQ(r.is_part, s.is_part);
  }
}

TEST(net_relay_queue, keeps_order_between_two_threads) {
  constexpr int items = 20'000;
  sheaf::net::relay_queue<int> queue;
  std::thread pusher([&] {
    for (int i = 0; i < items; ++i) queue.push(i);
  });
  for (int expected = 0; expected < items;) {
    int const* const next = queue.front();
    if (next == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(*next, expected++);
    queue.pop();
  }
  pusher.join();
  EXPECT_EQ(queue.front(), nullptr);
}

/// Sends raw bytes as process 1 and expects process 0 to refuse them.
void expect_damaged(std::vector<std::byte> const& slices, std::string const& why) {
  using namespace sheaf;
  fake_network network(2, 1, fair_weather, [] {});
  options o;
  o.transport = transport_kind::hybrid;
  o.threads = 2;
  o = o.resolved();
  o.locations = 2;
  host::host_job siblings(o);
  net::gateway gate(network.processes(0), network.at(0), ordinary, siblings);
  net::engine other(network.processes(1), network.at(1), ordinary);
  send_bytes(other, slices);
  try {
    for (int i = 0; i < 100; ++i) gate.progress(0);
    ADD_FAILURE() << "taken although " << why;
  } catch (error const& e) {
    EXPECT_EQ(e.what(), "process 0 received a damaged packet from process 1: " + why);
  }
}

TEST(net_gateway, damaged_packets_are_errors) {
  using sheaf::net::slice_kind;
  expect_damaged(std::vector<std::byte>(7), "a slice's header is cut off");
  expect_damaged(packet_of({slice_kind::request, false, 0, 0, 9}, 8), "the length of a slice is not possible");
  expect_damaged(packet_of({slice_kind::request, false, 0, 0, 0}, 8), "the length of a slice is not possible");
  expect_damaged(packet_of({slice_kind{7}, false, 0, 0, 8}, 8), "no such slice");
  expect_damaged(packet_of({slice_kind::credit, false, 0, 0, 6}, 6), "no such slice");
  expect_damaged(packet_of({slice_kind::credit, false, 0, 0, 24}, 24), "no such slice");
  expect_damaged(packet_of({slice_kind::answer, false, 2, 0, 8}, 8), "a process has no such lane");
  expect_damaged(packet_of({slice_kind::answer, false, 0, 2, 8}, 8), "a process has no such lane");
}

/// Location 1 leaves another packet whenever the owner begins to send one.
class tireless_wire final : public sheaf::net::wire {
 public:
  explicit tireless_wire(sheaf::net::wire& under) : under_(under) {}
  sheaf::host_memory& memory() noexcept override { return under_.memory(); }
  sent start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) override {
    return under_.start_send(slot, dest, packet);
  }
  bool start_receive(std::uint32_t slot, std::span<std::byte> room) override {
    return under_.start_receive(slot, room);
  }
  void withdraw_receives() noexcept override { under_.withdraw_receives(); }
  std::size_t poll(std::span<sheaf::net::completion> done) override {
    if (gate != nullptr && left != 0) {
      --left;
      send_word(*gate);
    }
    return under_.poll(done);
  }
  void close() noexcept override {}

  static void send_word(sheaf::net::gateway& by) {
    sheaf::buffer packet = by.inner().take(8);
    packet.set_size(8);
    by.send(1, 1, std::move(packet));
  }

  sheaf::net::gateway* gate = nullptr;
  int left = 0;

 private:
  sheaf::net::wire& under_;
};

TEST(net_gateway, an_owner_that_others_keep_busy_leaves) {
  fake_network network(2, 1, fair_weather, [] {});
  tireless_wire line(network.at(0));
  lone_process p(network.processes(0), line);
  line.gate = &p.gate;
  line.left = 10'000;
  std::uint32_t const before = p.gate.turns();
  p.gate.progress(0);
  EXPECT_EQ(p.gate.turns() - before, sheaf::net::gateway::most_turns);
  EXPECT_TRUE(p.gate.has_posts_for(1)) << "what is left leaves with the next look of anybody";
  line.left = 0;
  p.gate.progress(1);
  EXPECT_FALSE(p.gate.has_posts_for(0));
}

TEST(net_gateway, a_first_location_that_goes_to_sleep_sees_what_others_left_for_it) {
  fake_network network(2, 1, fair_weather, [] {});
  std::mutex lock;
  shared_bootstrap all(network.processes(0), lock, thread_level::first_only);
  lone_process p(all, network.at(0));
  EXPECT_FALSE(p.gate.has_posts_for(0));
  tireless_wire::send_word(p.gate);
  EXPECT_TRUE(p.gate.has_posts_for(0));
  EXPECT_FALSE(p.gate.has_posts_for(1)) << "it may not call MPI";
  p.gate.progress(0);
  EXPECT_FALSE(p.gate.has_posts_for(0));
}

TEST(net_endpoint, does_not_sleep_while_packets_come) {
  fake_network network(2, 1, fair_weather, [] {});
  lone_process p(network);
  sheaf::net::locality const near(2, 2, {}, 0);
  sheaf::net::net_endpoint location(0, p.siblings, near, p.gate);
  sheaf::net::engine other(network.processes(1), network.at(1), ordinary);
  constexpr std::uint32_t far_beyond_spins_and_yields = 1U << 20;
  for (std::uint32_t round = 0; round < 20; ++round) {
    sheaf::buffer part = other.take(ordinary.payload);
    part.set_size(ordinary.payload);
    sheaf::net::slice const s{sheaf::net::slice_kind::request, true, 0, 1,
                              static_cast<std::uint32_t>(ordinary.payload - sheaf::net::slice::header_bytes)};
    s.write(part.data());
    other.send(0, std::move(part));
    other.poll();
    location.idle(far_beyond_spins_and_yields + round);
  }
  EXPECT_EQ(location.counts().sleeps, 0u);
}

/// Location 1 of a process takes nothing, and location 0 all that comes for it in the same packets.
TEST(net_gateway, a_small_slice_that_waits_does_not_keep_its_packet) {
  fake_network network(2, 1, fair_weather, [] {});
  lone_process p(network);
  sheaf::net::locality const near(2, 2, {}, 0);
  sheaf::net::net_endpoint location(0, p.siblings, near, p.gate);
  sheaf::net::engine other(network.processes(1), network.at(1), ordinary);
  auto const small = static_cast<std::uint32_t>(ordinary.copied()), large = 4000 - small;
  std::vector<std::byte> bytes = packet_of({sheaf::net::slice_kind::request, true, 0, 0, large}, large);
  std::vector<std::byte> const waits = packet_of({sheaf::net::slice_kind::request, true, 0, 1, small}, small);
  bytes.insert(bytes.end(), waits.begin(), waits.end());
  auto const exchange = [&](std::uint32_t packets) {
    for (std::uint32_t i = 0; i < packets; ++i) {
      send_bytes(other, bytes);
      other.poll();
      p.gate.progress(0);
      arrival in;
      ASSERT_TRUE(location.receive(wanted::all, in));
      ASSERT_EQ(in.bytes.size(), large);
      location.consumed(in.source, in.kind);
    }
  };
  exchange(10);
  std::size_t const before = network.memory_in_use(0);
  exchange(100);
  EXPECT_LT(network.memory_in_use(0) - before, std::size_t{100} * 3 * small);
}

/// What one location gathers for five other processes.
struct lone_packer {
  explicit lone_packer(std::size_t share, sheaf::net::limits const& sizes = ordinary)
      : p(network.processes(0), network.at(0), 0, sizes),
        packs(*(outlives = std::make_unique<sheaf::net::packer>(p.gate, 0, share, counts))) {}
  void add(std::uint32_t process) {
    std::byte const bytes[8] = {};
    packs.add(process, {sheaf::net::slice_kind::request, false, 0, 0, sizeof bytes}, bytes);
  }
  /// For which processes something is gathered.
  [[nodiscard]] std::vector<std::uint32_t> open() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t process = 1; process < 6; ++process) {
      if (!packs.empty(process)) all.push_back(process);
    }
    return all;
  }
  fake_network network{6, 1, fair_weather, [] {}};
  sheaf::endpoint_counts counts;
  std::unique_ptr<sheaf::net::packer> outlives;  // the gateway, which holds its blocks
  lone_process p;
  sheaf::net::packer& packs;
};

using processes = std::vector<std::uint32_t>;

TEST(net_packer, sends_the_oldest_packet_where_one_more_would_pass_the_share) {
  lone_packer l(std::size_t{2} * ordinary.payload);
  for (std::uint32_t const process : {1u, 2u, 1u, 2u}) l.add(process);
  EXPECT_EQ(l.open(), (processes{1, 2}));
  EXPECT_EQ(l.counts.packets_for_room, 0u);
  l.add(3);
  EXPECT_EQ(l.open(), (processes{2, 3}));
  l.packs.ship(2);
  l.add(4);
  EXPECT_EQ(l.open(), (processes{3, 4}));
  EXPECT_EQ(l.counts.packets_for_room, 1u) << "there was room";
  for (int round = 0; round < 20; ++round) {
    for (std::uint32_t process = 1; process < 6; ++process) l.add(process);
    EXPECT_EQ(l.open(), (processes{4, 5}));
  }
  EXPECT_EQ(l.counts.packets_for_room, 1u + 20 * 5) << "those that had left before do not count";
  EXPECT_EQ(l.counts.packets_high, std::size_t{2} * ordinary.payload);
  l.packs.ship_all();
  EXPECT_TRUE(l.packs.empty());
  std::uint64_t const before = l.counts.packets_for_room;
  l.add(1);
  l.add(2);
  EXPECT_EQ(l.counts.packets_for_room, before) << "all that was sent takes no room";
}

TEST(net_packer, gathers_one_packet_within_any_share) {
  lone_packer l(1);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t process = 1; process < 6; ++process) {
      for (int i = 0; i < 5; ++i) l.add(process);
      EXPECT_EQ(l.open(), processes{process});
    }
  }
  EXPECT_EQ(l.counts.packets_for_room, 14u);
  EXPECT_EQ(l.counts.packets_high, ordinary.payload);
}

TEST(net_packer, gathers_no_more_than_a_packet) {
  sheaf::net::limits odd = ordinary;
  odd.payload = 5000 + sheaf::net::slice::header_bytes;  // no whole number of lines
  lone_packer l(1, odd);
  for (int i = 0; i < 1000; ++i) l.add(1);
  l.packs.ship_all();
  for (int look = 0; look < 1000; ++look) l.p.gate.progress(0);
  EXPECT_GE(l.p.gate.packets_moved(), 3u);
}

TEST(net_gateway, what_uses_mpi_alone_may_be_nested) {
  fake_network network(2, 1, fair_weather, [] {});
  lone_process p(network);
  struct calls {
    sheaf::net::gateway& gate;
    int depth = 0;
    static void again(void* self) {
      auto& c = *static_cast<calls*>(self);
      if (++c.depth < 3) c.gate.alone(1, &again, self);
    }
  } both{p.gate};
  p.gate.alone(1, &calls::again, &both);
  EXPECT_EQ(both.depth, 3);
  std::uint32_t const before = p.gate.turns();
  p.gate.progress(0);
  EXPECT_EQ(p.gate.turns(), before + 1) << "it was given back";
}

// ---- What acknowledgements cost ------------------------------------------------------------------------------------

/// Two processes of one location each, between hosts.
struct far_pair {
  /// Each sends the other one request of so many bytes, takes what has come, and sends what is gathered.
  void turn(std::size_t bytes) {
    for (std::uint32_t i : {0u, 1u}) {
      sheaf::endpoint& at = all[i].connection;
      location_id const other{1 - i};
      sheaf::buffer b = at.acquire(other, bytes);
      b.set_size(bytes);
      ASSERT_TRUE(at.send(other, traffic::request, b));
      arrival in;
      while (at.receive(wanted::all, in)) at.consumed(in.source, in.kind);
    }
  }
  std::uint64_t idle() {
    for (std::uint32_t round = 0; round < 1000; ++round) {
      for (lone_location& each : all) each.connection.idle(round);
      arrival in;
      for (lone_location& each : all) EXPECT_FALSE(each.connection.receive(wanted::all, in) && round > 10);
    }
    return network.packets();
  }
  fake_network network{2, 1, fair_weather, [] {}};
  lone_location all[2] = {{network, 0, ordinary}, {network, 1, ordinary}};
};

TEST(net_endpoint, requests_both_ways_carry_their_acknowledgements) {
  for (std::size_t const bytes : {std::size_t{100}, std::size_t{4000}}) {
    far_pair pair;
    for (int i = 0; i < 400; ++i) pair.turn(bytes);
    EXPECT_EQ(pair.network.packets(), 800u) << bytes;
  }
}

TEST(net_endpoint, a_pair_that_is_idle_costs_nothing) {
  far_pair pair;
  EXPECT_EQ(pair.idle(), 0u) << "it has never talked";
  for (int i = 0; i < 3; ++i) pair.turn(100);
  std::uint64_t const settled = pair.idle();
  EXPECT_LE(settled, 6u + 2);
  EXPECT_EQ(pair.idle(), settled);
}

// ---- How often a location looks at MPI -----------------------------------------------------------------------------

/// Location 0 of two processes of two locations, which always finds something from its sibling to execute.
struct busy_location {
  explicit busy_location(unsigned mpi_every) : p(network, mpi_every) {}

  /// Asks for something more, which it gets.
  arrival look() {
    std::byte const entry[8] = {};
    arrival in;
    EXPECT_TRUE(sibling.send_inline(location_id{0}, traffic::request, entry));
    EXPECT_TRUE(self.receive(wanted::all, in));
    self.consumed(in.source, in.kind);
    return in;
  }

  fake_network network{2, 1, fair_weather, [] {}};
  lone_process p;
  sheaf::net::locality near{2, 2, {}, 0};
  sheaf::net::net_endpoint self{0, p.siblings, near, p.gate};
  sheaf::net::net_endpoint sibling{1, p.siblings, near, p.gate};
};

TEST(net_endpoint, what_is_gathered_for_the_locations_of_a_process_shares_a_packet) {
  busy_location l(1);
  std::byte const entry[8] = {};
  l.self.gathers = true;
  for (std::uint32_t const dest : {2u, 3u}) {
    EXPECT_TRUE(l.self.send_inline(location_id{dest}, traffic::answer, entry));
    sheaf::buffer b = l.self.acquire(location_id{dest}, 100);
    b.set_size(100);
    EXPECT_TRUE(l.self.send(location_id{dest}, traffic::answer, b));
  }
  EXPECT_EQ(l.network.packets(), 0u);
  l.self.flush();
  EXPECT_EQ(l.network.packets(), 1u);
  l.self.gathers = false;
  EXPECT_TRUE(l.self.send_inline(location_id{2}, traffic::answer, entry));
  EXPECT_EQ(l.network.packets(), 2u);
}

class mpi_every : public testing::TestWithParam<unsigned> {};

TEST_P(mpi_every, who_finds_something_near_looks_at_mpi_so_often) {
  busy_location busy(GetParam());
  for (unsigned looks = 1; looks <= 640; ++looks) {
    busy.look();
    ASSERT_EQ(busy.p.gate.turns(), looks / GetParam()) << "after " << looks << " looks";
  }
}

TEST_P(mpi_every, what_comes_from_afar_is_found_with_the_next_look_at_mpi) {
  busy_location busy(GetParam());
  sheaf::net::engine other(busy.network.processes(1), busy.network.at(1), ordinary);
  send_bytes(other, packet_of({sheaf::net::slice_kind::answer, false, 1, 0, 8}, 8));
  for (unsigned looks = 1; looks < GetParam(); ++looks) EXPECT_EQ(busy.look().source, location_id{1});
  arrival const far = busy.look();
  EXPECT_EQ(far.source, location_id{3});
  EXPECT_EQ(far.kind, traffic::answer);
}

TEST_P(mpi_every, who_finds_nothing_near_looks_at_mpi_whenever_it_comes_to_rest) {
  busy_location idle(GetParam());
  unsigned const first_yield = idle.p.siblings.settings.spin_polls;
  for (unsigned rests = 1; rests <= 10; ++rests) {
    std::uint32_t const before = idle.p.gate.turns();
    arrival in;
    EXPECT_FALSE(idle.self.receive(wanted::all, in));
    std::uint32_t const looked = idle.p.gate.turns() - before;
    EXPECT_EQ(looked, rests % GetParam() == 0 ? 1u : 0u) << "in rest " << rests;
    idle.self.idle(first_yield);
    EXPECT_EQ(idle.p.gate.turns() - before, 1u) << "in rest " << rests;
  }
}

TEST_P(mpi_every, who_has_nothing_to_do_looks_at_mpi_each_time_if_it_last_heard_from_another_host) {
  busy_location idle(GetParam());
  sheaf::net::engine other(idle.network.processes(1), idle.network.at(1), ordinary);
  auto const looks = [&](bool at_leisure) {
    std::uint32_t const before = idle.p.gate.turns();
    idle.self.at_leisure = at_leisure;
    arrival in;
    if (idle.self.receive(wanted::all, in)) idle.self.consumed(in.source, in.kind);
    return idle.p.gate.turns() - before;
  };
  send_bytes(other, packet_of({sheaf::net::slice_kind::answer, false, 1, 0, 8}, 8));
  while (looks(false) != 1) continue;  // and finds it
  looks(true);                         // it sees whether another location has looked
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(looks(true), 1u) << i;
  for (unsigned i = 1; i < GetParam(); ++i) EXPECT_EQ(looks(false), 0u) << "it goes on with something else";
  EXPECT_EQ(looks(false), 1u);
  idle.look();  // from its own process
  for (unsigned i = 2; i < GetParam(); ++i) EXPECT_EQ(looks(true), 0u) << i;
}

INSTANTIATE_TEST_SUITE_P(turns, mpi_every, testing::Values(1u, 4u, 64u));

}  // namespace
}  // namespace sheaf_test
