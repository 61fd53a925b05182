// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/silence.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "message/probe.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/transport/side_wire.hpp"

namespace {

using namespace sheaf_test;

constexpr std::uint64_t second = 1'000'000'000;

/// A sender, what it has sent, and what it says of it.
struct sender {
  sheaf::options const settings = fake_settings();
  fake_endpoint net{4, 1};
  sheaf::detail::location here{net, settings};
  sheaf::detail::sender out{here};
  sheaf::silence_watch watch{10'000};

  sheaf::detail::stream& requests() { return out.of(sheaf::traffic::request); }
  void send(std::uint32_t dest, std::uint32_t entries) {
    auto& box = requests().box(dest);
    box.sent = static_cast<std::uint16_t>(box.sent + entries);
    net.backlogs[dest] += entries;
  }
  /// Requests of so many bytes wait for credit.
  void hold_back(std::uint32_t dest, std::size_t bytes) {
    auto& box = requests().box(dest);
    net.credits = 0;
    requests().append(box, {tag_of<probe_text>(), bytes - sheaf::run_header::wire_bytes}, true, {});
    requests().flush(box, sheaf::detail::flush_reason::asked);
  }
  /// What a look at `at` seconds prints; looks are this location's idling.
  std::string look(std::uint64_t at) {
    net.clock = 5 + at * second;
    testing::internal::CaptureStderr();
    next = watch.look(out, 0);
    return testing::internal::GetCapturedStderr();
  }
  std::uint64_t next = 0;
};

TEST(silence, nothing_is_said_while_nothing_waits) {
  sender s;
  EXPECT_EQ(s.look(0), "");
  EXPECT_EQ(s.next, 0u) << "there is nothing to look for";
  EXPECT_EQ(s.look(100), "");
}

TEST(silence, is_told_once_with_location_time_entries_bytes_and_remedy) {
  sender s;
  s.send(3, 2);
  s.hold_back(3, 4096);
  EXPECT_EQ(s.look(0), "");
  EXPECT_NE(s.next, 0u) << "it asks to be called again";
  EXPECT_EQ(s.look(9), "");
  EXPECT_EQ(
      s.look(12),
      "sheaf: warning: location 3 has taken no requests of location 1 for 12.0 s: 2 of its entries are on their "
      "way there, and 4096 bytes more wait for credit. It computes without polling, or executes a long method: poll "
      "there now and then (sheaf::poll(); in DMCS, dmcs_poll()), or let threads help with SHEAF_PROGRESS=helper (in "
      "DMCS, dmcs_init_threads). options::poll_warning_ms = 0 turns this warning off.\n");
  EXPECT_EQ(s.look(30), "");
  EXPECT_EQ(s.look(90), "");
}

/// Says that so many messages have come from process 3.
struct counting_wire final : sheaf::detail::side_wire {
  std::uint64_t come = 0;
  void send(std::uint32_t, std::span<std::byte const>, std::span<std::byte const>) override {}
  std::uint64_t sent(std::uint32_t) const noexcept override { return 0; }
  std::uint64_t taken(std::uint32_t from) const noexcept override { return from == 3 ? come : 0; }
  std::size_t queued(std::uint32_t) const noexcept override { return 0; }
  bool progress() override { return false; }
  bool is_used() const noexcept override { return true; }
  void check() override {}
  void fail(std::string_view) noexcept override {}
  sheaf::detail::side_server& server() override { throw std::logic_error("it has none"); }
};

TEST(silence, who_takes_in_a_large_piece_beside_is_not_silent) {
  sender s;
  counting_wire beside;
  s.net.side = &beside;
  s.send(3, 1);
  s.send(2, 1);
  EXPECT_EQ(s.look(0), "");
  for (std::uint64_t at = 6; at < 60; at += 6) {
    ++beside.come;
    EXPECT_EQ(s.look(at).find("location 3"), std::string::npos) << at;
  }
  EXPECT_NE(s.look(70).find("location 3 has taken no requests"), std::string::npos) << "no piece has come for long";
}

TEST(silence, who_takes_some_now_and_then_is_not_silent) {
  sender s;
  s.send(0, 5);
  for (std::uint64_t at = 0; at < 60; at += 6) {
    EXPECT_EQ(s.look(at), "") << at;
    --s.net.backlogs[0];  // one taken, one more sent: as many as before are under way
    s.send(0, 1);
  }
}

TEST(silence, who_takes_a_large_entry_part_by_part_is_not_silent) {
  sender s;
  s.send(0, 1);
  for (std::uint64_t at = 0; at < 60; at += 6) {
    EXPECT_EQ(s.look(at), "") << at;
    s.net.take_part();
  }
  EXPECT_EQ(s.look(60), "");
  EXPECT_NE(s.look(71), "") << "no part since";
}

TEST(silence, a_second_time_is_told_again) {
  sender s;
  s.send(2, 1);
  EXPECT_EQ(s.look(0), "");
  EXPECT_NE(s.look(11), "");
  s.net.backlogs[2] = 0;
  EXPECT_EQ(s.look(13), "");
  s.send(2, 1);
  EXPECT_EQ(s.look(15), "");
  EXPECT_EQ(s.look(20), "");
  EXPECT_NE(s.look(27), "");
}

TEST(silence, what_a_location_sends_to_itself_is_its_own_affair) {
  sender s;
  s.send(1, 1);
  EXPECT_EQ(s.look(0), "");
  EXPECT_EQ(s.look(100), "");
}

TEST(silence, what_threads_have_put_aside_is_told_once_until_the_owner_takes_some) {
  sender s;
  std::uint64_t next = 0;
  auto const look = [&](std::uint64_t at, std::size_t entries, std::uint64_t taken) {
    s.net.clock = 5 + at * second;
    next = 0;
    return s.watch.look_aside(s.net, entries, 100 * entries, taken, next);
  };
  EXPECT_EQ(look(0, 0, 0), "");
  EXPECT_EQ(next, 0u);
  EXPECT_EQ(look(100, 1, 0), "");
  EXPECT_EQ(next, 5 + 110 * second);
  EXPECT_EQ(look(109, 2, 0), "");
  std::string const told = look(111, 3, 0);
  EXPECT_EQ(
      told.find("sheaf: warning: location 1 has not executed the requests that other threads have received for it "
                "for 11.0 s: 3 entries of 300 bytes. It computes"),
      0u)
      << told;
  EXPECT_EQ(look(140, 3, 0), "");
  EXPECT_EQ(next, 0u);
  EXPECT_EQ(look(141, 2, 1), "");
  EXPECT_NE(look(152, 2, 1), "");
}

TEST(silence, a_waiting_location_looks_by_itself) {
  sheaf::options o = fake_settings();
  o.transport = sheaf::transport_kind::thread;
  o.spin_polls = 1;
  o.yield_polls = 1;
  lone_location l(o);
  l.put(3, 1);
  bool done = false;
  l.net.on_idle = [&] {
    l.net.backlogs[3] = 1;
    l.net.clock += second;
    done = l.net.clock > 20 * second;
  };
  testing::internal::CaptureStderr();
  l.here.wait(sheaf::detail::wait_kind::answer, [&] { return done; });
  std::string const told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("location 3 has taken no requests of location 0 for 1"), told.npos) << told;
  EXPECT_EQ(told.find("location 3"), told.rfind("location 3")) << "once";
}

}  // namespace
