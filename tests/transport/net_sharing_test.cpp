// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/meeting.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "transport/fake_host.hpp"
#include "transport/fake_launch.hpp"
#include "transport/lone_process.hpp"
#include "transport/several_processes.hpp"

namespace sheaf::net {
namespace {

using sheaf_test::company;

/// Processes that can exchange, and nothing more.
class exchange_only final : public bootstrap {
 public:
  explicit exchange_only(company& all) : all_(all) {}
  thread_level level() const noexcept override { return thread_level::single; }
  std::uint32_t rank() const noexcept override { return all_.self(); }
  std::uint32_t size() const noexcept override { return all_.size(); }
  void exchange(std::span<std::byte const> mine, std::span<std::byte> all) override {
    ++exchanges;
    all_.exchange(mine, all);
  }
  std::optional<std::int64_t> sum(std::int64_t mine) override { return mine; }
  void abort(std::uint32_t, std::string_view) noexcept override {}
  void close() noexcept override {}

  int exchanges = 0;

 private:
  company& all_;
};

presence on(char const* host, bool wants = true) {
  presence p;
  p.host_memory = wants ? 1 : 0;
  std::snprintf(p.host, sizeof p.host, "%s", host);
  return p;
}

/// Plays these processes, and expects each to find what those that are named for it wrote: "012 012 012".
void expect_reached(std::vector<presence> const& all, std::vector<std::string> const& expected) {
  company processes(static_cast<std::uint32_t>(all.size()));
  EXPECT_EQ(processes.play([&](company& c) {
    exchange_only job(c);
    neighbours const host = share_memory(job, all);
    for (std::size_t place = 0; place < host.ranks.size(); ++place) {
      if (host.ranks[place] == c.self()) *host.map.root(place) = static_cast<std::byte>('0' + c.self());
    }
    c.meet();
    std::string found;
    for (std::size_t place = 0; place < host.ranks.size(); ++place) found += static_cast<char>(*host.map.root(place));
    c.meet();
    return found == expected[c.self()] && host.map.any() == !found.empty();
  }),
            0);
}

TEST(net_sharing, processes_of_a_host_reach_each_other) {
  expect_reached({on("a"), on("a"), on("a")}, {"012", "012", "012"});
}

TEST(net_sharing, each_host_has_its_own) {
  expect_reached({on("a"), on("b"), on("a"), on("b"), on("c")}, {"02", "13", "02", "13", ""});
}

TEST(net_sharing, a_host_of_which_one_process_does_not_want_it_has_none) {
  expect_reached({on("a"), on("a", false), on("b"), on("b")}, {"", "", "23", "23"});
}

TEST(net_sharing, nobody_is_asked_where_none_wants_it) {
  company one(1);
  exchange_only job(one);
  EXPECT_FALSE(share_memory(job, std::vector{on("a", false)}).map.any());
  EXPECT_EQ(job.exchanges, 0);
  EXPECT_FALSE(share_memory(job, std::vector{on("a")}).map.any());
  EXPECT_EQ(job.exchanges, 2);
}

TEST(net_sharing, the_first_process_that_wants_it_says_why_there_is_none) {
  std::vector<presence> const all = {on("a", false), on("a"), on("a"), on("b")};
  std::string const why = "location 0 (host a, process 0) has SHEAF_HOST_MEMORY=0";
  EXPECT_NE(text_of_apart(all, 1, "").find(why), std::string::npos);
  for (std::uint32_t const rank : {0u, 2u, 3u}) EXPECT_EQ(text_of_apart(all, rank, ""), "") << rank;
  std::vector<presence> const alike = {on("a"), on("a")};
  EXPECT_NE(text_of_apart(alike, 0, "rank 1 says: no").find(": rank 1 says: no. Correct"), std::string::npos);
  EXPECT_EQ(text_of_apart(alike, 1, "rank 1 says: no"), "");
  EXPECT_EQ(text_of_apart(std::vector<presence>(2, on("a", false)), 0, ""), "") << "all have asked for it";
}

/// What another process of the host writes into a slot ends the job of who finds it, by name.
void expect_bad_slot(std::size_t bytes, std::function<void(host::ring_slot&)> const& spoil, std::string const& why) {
  using namespace sheaf_test;
  fake_network network(2, 1, weather{}, [] {});
  fake_host const near(2, 2, 1);
  lone_location from(network, 0, ordinary, near), to(network, 1, ordinary, near);
  buffer b = from.connection.acquire(location_id{1}, 100);
  b.set_size(100);
  std::byte const word[8] = {};
  ASSERT_TRUE(bytes == 0 ? from.connection.send(location_id{1}, traffic::request, b)
                         : from.connection.send_inline(location_id{1}, traffic::request, std::span(word).first(bytes)));
  spoil(to.shared->box(1).fresh.load()->slots()[0]);
  arrival a;
  try {
    static_cast<void>(to.connection.receive(wanted::all, a));
    ADD_FAILURE() << "taken although " << why;
  } catch (job_aborted const& e) {
    EXPECT_EQ(std::string(e.what()), "location 1 received a damaged entry from location 0: " + why);
  }
  EXPECT_TRUE(to.shared->failed());
  EXPECT_TRUE(from.shared->failed()) << "the whole host hears of it";
}

TEST(net_sharing, slots_that_another_process_spoils_are_errors) {
  using host::ring_slot;
  std::string const longer = "it is longer than its slot";
  expect_bad_slot(
      8, [](ring_slot& s) { s.inline_bytes = ring_slot::inline_capacity + 1; }, longer);
  expect_bad_slot(
      8, [](ring_slot& s) { s.inline_bytes = UINT32_MAX; }, longer);
  std::string const outside = "its block is not in its process's memory";
  std::byte own[100];
  expect_bad_slot(
      0, [&](ring_slot& s) { s.block.bytes = own; }, outside);
  expect_bad_slot(
      0,
      [](ring_slot& s) {
        s.block.bytes = {static_cast<std::byte*>(nullptr), 100};
      },
      outside);
  expect_bad_slot(
      0,
      [](ring_slot& s) {
        s.block.bytes = {s.block.bytes.data(), s.block.capacity + 1};
      },
      outside);
  expect_bad_slot(
      0, [](ring_slot& s) { s.block.bytes = s.block.bytes.first(0); }, outside);
  expect_bad_slot(
      0,
      [](ring_slot& s) {
        s.block.capacity = std::size_t{1} << 40;
        s.block.bytes = {s.block.bytes.data(), s.block.capacity};
      },
      outside);
}

}  // namespace
}  // namespace sheaf::net
