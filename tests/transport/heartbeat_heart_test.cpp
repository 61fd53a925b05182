// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Hearts of several "processes" in one, over real sockets on loopback.
#include "transport/heartbeat/heart.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace {

using sheaf::heartbeat::finding;
using sheaf::heartbeat::heart;
using sheaf::heartbeat::listener;
using sheaf::heartbeat::loopback;
using sheaf::heartbeat::make_address;
using sheaf::heartbeat::roster;
using sheaf::heartbeat::udp_socket;

constexpr std::uint64_t ms = 1'000'000;

std::set<std::string> entries_of(char const* folder) {
  std::set<std::string> names;
  for (auto const& each : std::filesystem::directory_iterator(folder)) names.insert(each.path().filename());
  return names;
}

/// The threads that are not among these, once they are so many: the system removes a thread from its list only some
/// time after it was joined.
std::vector<std::string> threads_beside(std::set<std::string> const& old, std::size_t count) {
  auto const limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::vector<std::string> others;
  do {
    std::this_thread::yield();
    auto const now = entries_of("/proc/self/task");
    others.clear();
    std::set_difference(now.begin(), now.end(), old.begin(), old.end(), std::back_inserter(others));
  } while (others.size() != count && std::chrono::steady_clock::now() < limit);
  return others;
}

/// Hearts on loopback; what they find is noted.
class hearts {
 public:
  explicit hearts(std::uint32_t count, std::uint64_t limit = 300 * ms) : limit_(limit), found_(count), hearts_(count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      lines_.push_back(std::make_unique<udp_socket>());
      places_.push_back({make_address(loopback, lines_[i]->port())});
    }
    for (std::uint32_t i = 0; i < count; ++i) start(i);
  }

  [[nodiscard]] sheaf::heartbeat::address place(std::uint32_t i) const { return places_[i][0]; }
  void end(std::uint32_t i) { hearts_[i].reset(); }

  /// Waits until this one has ended its process, so to speak.
  finding ending_of(std::uint32_t i) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return found_[i].ended; });
    return found_[i].what;
  }
  [[nodiscard]] bool any_found() {
    std::lock_guard const lock(mutex_);
    return std::any_of(found_.begin(), found_.end(), [](note const& n) { return n.told; });
  }

 private:
  struct note {
    finding what;
    bool told = false;
    bool ended = false;
  };

  void start(std::uint32_t i) {
    auto const lost = [this, i](finding const& f) {
      std::lock_guard const lock(mutex_);
      found_[i] = {f, true, false};
    };
    auto const ended = [this, i] {
      std::lock_guard const lock(mutex_);
      found_[i].ended = true;
      changed_.notify_all();
    };
    hearts_[i] = std::make_unique<heart>(std::move(lines_[i]), roster{i, 42, places_}, limit_,
                                         listener{lost, ended, [](std::uint32_t) {}});
  }

  std::uint64_t const limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<note> found_;
  std::vector<std::unique_ptr<udp_socket>> lines_;
  std::vector<std::vector<sheaf::heartbeat::address>> places_;
  std::vector<std::unique_ptr<heart>> hearts_;  // last: their threads use the rest
};

TEST(udp_socket, carries_bytes) {
  udp_socket a, b;
  std::array<std::byte, 3> const sent{std::byte{1}, std::byte{2}, std::byte{3}};
  std::array<std::byte, 8> room{};
  EXPECT_FALSE(b.receive(room));
  a.send(make_address(loopback, b.port()), sent);
  auto const in = b.receive(room);
  ASSERT_TRUE(in);
  EXPECT_EQ(in->size(), 3u);
  EXPECT_EQ(room[2], std::byte{3});
}

TEST(udp_socket, is_reachable_at_some_addresses_that_are_not_loopback) {
  EXPECT_LE(sheaf::heartbeat::reachable(1).size(), 1u);
  for (std::uint32_t const ip : sheaf::heartbeat::reachable(4)) EXPECT_NE(ip >> 24, loopback >> 24);
}

TEST(heart, strangers_and_a_goodbye_end_nothing) {
  hearts three(3);
  udp_socket foreign;
  std::array<std::byte, 60> noise{};
  for (int i = 0; i < 100; ++i) foreign.send(three.place(0), noise);
  three.end(1);  // its goodbye is heard, so that is no loss
  EXPECT_FALSE(three.any_found());
}

TEST(heart, one_that_says_nothing_ends_everybody) {
  // Process 2 has beaten once and does so no more: its heart is a socket that is open.
  udp_socket silent;
  std::vector<std::unique_ptr<udp_socket>> lines;
  roster all{0, 42, {{}, {}, {make_address(loopback, silent.port())}}};
  for (std::uint32_t i = 0; i < 2; ++i) {
    lines.push_back(std::make_unique<udp_socket>());
    all.places[i] = {make_address(loopback, lines[i]->port())};
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<finding> found(2);
  int ended = 0;
  std::vector<std::unique_ptr<heart>> two;
  for (std::uint32_t i = 0; i < 2; ++i) {
    sheaf::heartbeat::datagram const d{.key = 42, .from = 2, .to = i};
    silent.send(all.places[i][0], std::as_bytes(std::span(&d, 1)));
    roster own = all;
    own.self = i;
    auto const lost = [&, i](finding const& f) { found[i] = f; };
    auto const end = [&] {
      std::lock_guard const lock(mutex);
      ++ended;
      changed.notify_all();
    };
    two.push_back(std::make_unique<heart>(std::move(lines[i]), own, 300 * ms, listener{lost, end, [](auto) {}}));
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ended == 2; });
  for (finding const& f : found) EXPECT_EQ(f.about, 2u);
}

TEST(heart, tells_the_others_before_it_says_what_it_found) {
  // Only process 0 has heard of process 2, and finds it silent; who says so waits until process 1 has ended.
  udp_socket silent;
  auto own = std::make_unique<udp_socket>();
  udp_socket other;
  roster const who{0, 42, {{make_address(loopback, own->port())}, {make_address(loopback, other.port())}, {}}};
  sheaf::heartbeat::datagram const beat{.key = 42, .from = 2};
  silent.send(who.places[0][0], std::as_bytes(std::span(&beat, 1)));
  std::array<std::byte, sizeof beat> bytes{};
  std::promise<bool> told;
  auto const lost = [&](finding const&) {
    bool heard = false;
    while (auto const in = other.receive(bytes)) {
      auto const d = sheaf::heartbeat::read(*in, 42, 1, 3);
      heard = heard || (d && d->kind == sheaf::heartbeat::datagram_kind::end && d->about == 2);
    }
    told.set_value(heard);
  };
  heart const first(std::move(own), who, 300 * ms, listener{lost, [] {}, [](auto) {}});
  EXPECT_TRUE(told.get_future().get());
}

TEST(heart, takes_no_signal_and_leaves_no_thread_and_no_descriptor) {
  std::thread([] {}).join();  // a sanitizer begins a thread of its own with the first
  auto const threads = entries_of("/proc/self/task");
  auto const descriptors = entries_of("/proc/self/fd").size();
  for (int i = 0; i < 20; ++i) {
    hearts const some(3);
    auto const beating = threads_beside(threads, 3);
    EXPECT_EQ(beating.size(), 3u);
    EXPECT_EQ(entries_of("/proc/self/fd").size(), descriptors + 3);
    for (std::string const& each : beating) {
      std::ifstream status("/proc/self/task/" + each + "/status");
      std::string line;
      while (std::getline(status, line) && line.rfind("SigBlk:", 0) != 0) {
      }
      ASSERT_GT(line.size(), 7u);
      EXPECT_EQ(std::stoull(line.substr(7), nullptr, 16) & 1ULL << (SIGINT - 1), 1ULL << (SIGINT - 1)) << line;
    }
  }
  EXPECT_TRUE(threads_beside(threads, 0).empty());
  EXPECT_EQ(entries_of("/proc/self/fd").size(), descriptors);
}

}  // namespace
