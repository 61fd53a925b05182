// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/host_endpoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "transport/endpoint_cases.hpp"

namespace {

using namespace sheaf_test;
using sheaf::host::host_endpoint;
using sheaf::host::host_job;

// ---- The suite of all transports, with default settings and with every limit at 1 --------------------------------

options of_threads(unsigned locations) {
  options o;
  o.transport = sheaf::transport_kind::thread;
  o.locations = locations;
  return o;
}

/// Default; every limit at 1; every wait sleeps at once.
options variant(int which, unsigned locations) {
  options o = of_threads(locations);
  if (which == 1) o.ring_slots = o.window = 1, o.buffer_bytes = 256;
  if (which == 2) o.spin_polls = o.yield_polls = 1, o.ring_slots = 3, o.window = 2;
  return o.resolved();
}

class thread_suite : public testing::TestWithParam<std::tuple<unsigned, int, endpoint_case>> {};

TEST_P(thread_suite, case_holds) {
  auto const& [locations, which, what] = GetParam();
  EXPECT_EQ(run_endpoint_case(what, sheaf::launch_threads, variant(which, locations)), "");
}

std::string label(testing::TestParamInfo<thread_suite::ParamType> const& info) {
  static char const* const variants[] = {"default", "tight", "sleepy"};
  auto const& [locations, which, what] = info.param;
  return std::string(what.name) + "_" + variants[which] + "_n" + std::to_string(locations);
}

auto const counts = testing::Values(1, 2, 3, 4, 7, 8);
auto const variants = testing::Values(0, 1, 2);
INSTANTIATE_TEST_SUITE_P(transport, thread_suite, testing::Combine(counts, variants, testing::ValuesIn(endpoint_cases)),
                         label);
INSTANTIATE_TEST_SUITE_P(transport_failure, thread_suite,
                         testing::Combine(counts, variants, testing::Values(failure_case)), label);

// ---- What is particular to threads: all endpoints played by one thread -------------------------------------------

/// The locations of a job without threads, so that a test decides who does what when.
class still_job {
 public:
  explicit still_job(options const& o) : job_(o.resolved()) {
    for (std::uint32_t i = 0; i < job_.settings.locations; ++i) {
      all_.push_back(std::make_unique<host_endpoint>(location_id{i}, job_));
    }
  }
  endpoint& operator[](std::size_t i) { return *all_[i]; }

 private:
  host_job job_;
  std::vector<std::unique_ptr<host_endpoint>> all_;
};

bool send_byte(endpoint& from, std::uint32_t dest, traffic kind = traffic::request) {
  std::byte const one{1};
  return from.send_inline(location_id{dest}, kind, std::span(&one, 1));
}

TEST(host_endpoint, every_source_is_reached_while_one_floods) {
  still_job job(of_threads(64));
  for (std::uint32_t s = 1; s < 64; ++s) ASSERT_TRUE(send_byte(job[s], 0));
  std::set<std::uint32_t> seen;
  arrival in;
  for (int call = 0; call < 64 && seen.size() < 63; ++call) {
    ASSERT_TRUE(job[0].receive(wanted::all, in));
    seen.insert(number(in.source));
    job[0].consumed(in.source, in.kind);
    while (send_byte(job[1], 0)) {
    }
  }
  EXPECT_EQ(seen.size(), 63u);
}

TEST(host_endpoint, one_of_many_sources_is_found_within_a_bounded_number_of_polls) {
  still_job job(of_threads(64));
  arrival in;
  for (std::uint32_t s = 1; s < 64; ++s) {
    ASSERT_TRUE(send_byte(job[s], 0));
    int polls = 1;
    while (!job[0].receive(wanted::all, in)) ASSERT_LE(++polls, 22);
    job[0].consumed(in.source, in.kind);
  }
}

TEST(host_endpoint, idle_returns_at_once_and_the_next_poll_finds_what_the_rotation_missed) {
  still_job job(of_threads(64));
  arrival in;
  for (std::uint32_t s = 1; s < 64; ++s) send_byte(job[s], 0);
  while (job[0].receive(wanted::all, in)) job[0].consumed(in.source, in.kind);
  for (std::uint32_t s = 1; s < 64; ++s) {
    send_byte(job[s], 0);
    job[0].idle(1u << 30);  // would sleep for ever
    EXPECT_TRUE(job[0].receive(wanted::all, in));
    EXPECT_EQ(number(in.source), s);
    job[0].consumed(in.source, in.kind);
  }
}

TEST(host_endpoint, idle_returns_at_once_when_credit_has_come) {
  options o = of_threads(2);
  o.ring_slots = 1;
  still_job job(o);
  ASSERT_TRUE(send_byte(job[0], 1));
  ASSERT_FALSE(send_byte(job[0], 1));
  arrival in;
  ASSERT_TRUE(job[1].receive(wanted::all, in));
  job[1].consumed(in.source, in.kind);
  job[0].idle(1u << 30);
  EXPECT_EQ(job[0].counts().sleeps, 0u);
  EXPECT_TRUE(send_byte(job[0], 1));
}

TEST(host_endpoint, a_request_does_not_keep_awake_who_wants_answers) {
  still_job job(of_threads(2));
  arrival in;
  send_byte(job[1], 0);
  EXPECT_FALSE(job[0].receive(wanted::answers, in));
  while (job[0].counts().sleeps == 0) job[0].idle(1u << 30, job[0].now() + 1'000'000);
  send_byte(job[1], 0, traffic::answer);
  job[0].idle(1u << 30);
  EXPECT_TRUE(job[0].receive(wanted::answers, in));
}

TEST(host_endpoint, a_consumed_block_is_used_again) {
  still_job job(of_threads(2));
  std::set<std::byte*> blocks;
  arrival in;
  for (int i = 0; i < 100; ++i) {
    buffer b = job[0].acquire(location_id{1}, 100);
    blocks.insert(b.data());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
    b.set_size(100);
    ASSERT_TRUE(job[0].send(location_id{1}, traffic::request, b));
    ASSERT_TRUE(job[1].receive(wanted::all, in));
    EXPECT_TRUE(blocks.count(const_cast<std::byte*>(in.bytes.data()))) << "it travels by pointer";
    job[1].consumed(in.source, in.kind);
  }
  EXPECT_EQ(blocks.size(), 1u);
}

/// Sends a buffer of `bytes` whose last byte is `value`, and returns where it was filled and where it arrived.
std::pair<std::byte const*, std::byte const*> pass(still_job& job, std::uint32_t to, std::size_t bytes, bool streams,
                                                   int value) {
  buffer b = job[0].acquire(location_id{to}, bytes);
  std::byte const* const filled = b.data();
  std::fill_n(b.data(), bytes, std::byte(value));
  b.set_size(bytes);
  b.set_streams(streams);
  EXPECT_TRUE(job[0].send(location_id{to}, traffic::request, b));
  arrival in;
  EXPECT_TRUE(job[to].receive(wanted::all, in));
  EXPECT_EQ(in.bytes.size(), bytes);
  EXPECT_EQ(std::ranges::count(in.bytes, std::byte(value)), static_cast<std::ptrdiff_t>(bytes));
  job[to].consumed(in.source, in.kind);
  return {filled, in.bytes.data()};
}

TEST(host_endpoint, a_full_buffer_of_a_stream_is_copied_and_its_block_filled_again) {
  options o = of_threads(2);
  o.buffer_bytes = 8192;
  still_job job(o);
  std::set<std::byte const*> filled, arrived;
  for (int i = 0; i < 20; ++i) {
    auto const [from, to] = pass(job, 1, i % 2 == 0 ? 8192 : 4096 + static_cast<std::size_t>(i), true, i);
    filled.insert(from);
    arrived.insert(to);
  }
  EXPECT_EQ(filled.size(), 1u);
  EXPECT_EQ(arrived.size(), 1u);
  EXPECT_NE(*filled.begin(), *arrived.begin());
}

TEST(host_endpoint, what_is_small_or_no_stream_or_for_itself_or_large_travels_by_pointer) {
  options o = of_threads(2);
  o.buffer_bytes = 8192;
  still_job job(o);
  auto const is_same = [](auto const& places) { return places.first == places.second; };
  EXPECT_TRUE(is_same(pass(job, 1, 4095, true, 1)));
  EXPECT_TRUE(is_same(pass(job, 1, 8192, false, 2)));
  EXPECT_TRUE(is_same(pass(job, 0, 8192, true, 3)));
  EXPECT_TRUE(is_same(pass(job, 1, 20000, true, 4)));
}

TEST(host_endpoint, a_block_that_is_not_sent_comes_back) {
  still_job job(of_threads(2));
  for (auto const to : {location_id{0}, location_id{1}}) {
    std::byte* const first = job[0].acquire(to, 1).data();
    EXPECT_EQ(job[0].acquire(to, 1).data(), first) << number(to);
  }
}

TEST(host_endpoint, blocks_for_itself_are_not_those_that_others_have_read) {
  still_job job(of_threads(2));
  std::set<std::byte const*> own, others;
  for (int i = 0; i < 20; ++i) {
    for (auto const to : {location_id{0}, location_id{1}}) {
      buffer b = job[0].acquire(to, 1);
      (to == location_id{0} ? own : others).insert(b.data());
      b.set_size(1);
      ASSERT_TRUE(job[0].send(to, traffic::request, b));
      arrival in;
      ASSERT_TRUE(job[number(to)].receive(wanted::all, in));
      job[number(to)].consumed(in.source, in.kind);
    }
  }
  for (std::byte const* const block : own) EXPECT_FALSE(others.count(block));
}

TEST(host_endpoint, shows_nothing_only_while_a_receive_finds_nothing) {
  still_job job(of_threads(3));
  arrival in;
  EXPECT_TRUE(job[0].shows_nothing());
  for (traffic const kind : {traffic::request, traffic::answer, traffic::hop}) {
    send_byte(job[1], 0, kind);
    EXPECT_FALSE(job[0].shows_nothing()) << "the first of a pair and class";
    send_byte(job[1], 0, kind);
    ASSERT_TRUE(job[0].receive(wanted::all, in));
    EXPECT_TRUE(job[0].shows_nothing()) << "the next one comes after consumed()";
    send_byte(job[2], 0, kind);
    EXPECT_FALSE(job[0].shows_nothing()) << "another pair goes on";
    job[0].consumed(in.source, in.kind);
    for (int left = 2; left != 0; --left) {
      EXPECT_FALSE(job[0].shows_nothing());
      ASSERT_TRUE(job[0].receive(wanted::all, in));
      job[0].consumed(in.source, in.kind);
    }
    EXPECT_TRUE(job[0].shows_nothing());
  }
}

TEST(host_endpoint, who_shows_nothing_is_told_of_a_failed_job) {
  still_job job(of_threads(2));
  job[1].fail("no more paper");
  EXPECT_FALSE(job[0].shows_nothing());
}

TEST(host_endpoint, the_failed_job_names_the_location_and_the_first_reason) {
  still_job job(of_threads(3));
  job[2].fail("no more paper");
  job[1].fail("later");
  try {
    job[0].idle(0);
    FAIL() << "idle returned";
  } catch (sheaf::job_aborted const& e) {
    EXPECT_STREQ(e.what(), "location 2 ended the job: no more paper");
  }
}

}  // namespace
