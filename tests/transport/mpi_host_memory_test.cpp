// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/host_memory.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <barrier>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::mpi {
namespace {

/// What processes that are threads here tell each other.
struct meeting_place {
  explicit meeting_place(std::uint32_t count) : all(count), everybody(count) {}
  std::vector<std::span<std::byte const>> all;
  std::barrier<> everybody;
};

/// What a process may find changed in what the others told in its n-th exchange.
using forgery = std::function<void(std::uint32_t rank, int exchange, std::span<std::byte> all)>;

/// A wire that can exchange, and nothing more.
class exchange_only final : public wire {
 public:
  exchange_only(meeting_place& place, std::uint32_t rank, forgery const& forge)
      : place_(place), rank_(rank), forge_(forge) {}

  thread_level level() const noexcept override { return thread_level::single; }
  std::uint32_t rank() const noexcept override { return rank_; }
  std::uint32_t size() const noexcept override { return static_cast<std::uint32_t>(place_.all.size()); }
  bool yields() const noexcept override { return false; }
  bool start_send(std::uint32_t, std::uint32_t, std::span<std::byte const>) override { return true; }
  void start_receive(std::uint32_t, std::span<std::byte>) override {}
  std::size_t test(direction, std::uint32_t, std::uint32_t, std::span<completion>) override { return 0; }
  void exchange(std::span<std::byte const> mine, std::span<std::byte> all) override {
    place_.all[rank_] = mine;
    place_.everybody.arrive_and_wait();
    for (std::size_t i = 0; i < place_.all.size(); ++i) {
      std::memcpy(all.data() + i * mine.size(), place_.all[i].data(), mine.size());
    }
    place_.everybody.arrive_and_wait();
    if (forge_) forge_(rank_, exchanges, all);
    ++exchanges;
  }
  bool all_arrived() override { return true; }
  void abort(std::uint32_t, std::string_view) noexcept override {}
  void close() noexcept override {}

  int exchanges = 0;

 private:
  meeting_place& place_;
  std::uint32_t const rank_;
  forgery const& forge_;
};

presence on(char const* host, bool wants = true) {
  presence p;
  p.host_memory = wants ? 1 : 0;
  std::snprintf(p.host, sizeof p.host, "%s", host);
  return p;
}

std::size_t objects() {
  std::size_t count = 0;
  for (auto const& each : std::filesystem::directory_iterator("/dev/shm")) {
    count += each.path().filename().string().starts_with("sheaf-" + std::to_string(getpid()) + "-");
  }
  return count;
}

/// Who reaches whom, as one string: for each process those whose packet it got, or "-" where it has no rings; then how
/// many exchanges there were.
std::string reached(std::vector<presence> const& all, forgery const& forge = nullptr) {
  auto const count = static_cast<std::uint32_t>(all.size());
  meeting_place place(count);
  std::vector<std::string> got(count);
  std::vector<int> exchanges(count);
  auto const play = [&](std::uint32_t rank) {
    exchange_only line(place, rank, forge);
    host_memory const memory(line, all);
    host_rings rings = memory.rings();
    if (!rings.any()) got[rank] = "-";
    for (std::uint32_t to = 0; to < count; ++to) {
      std::byte* const room = rings.room(to, 1);
      if (room == nullptr) continue;
      *room = std::byte(rank);
      rings.ship(to, 1, 0);
    }
    place.everybody.arrive_and_wait();
    for (std::uint32_t i = 0; i < count; ++i) {
      rings.look(host_rings::all, [&](std::uint32_t source, host_packet const& p) {
        EXPECT_EQ(p.data[0], std::byte(source));
        got[rank] += std::to_string(source);
        return true;
      });
    }
    exchanges[rank] = line.exchanges;
    place.everybody.arrive_and_wait();
  };
  std::vector<std::thread> others;
  for (std::uint32_t rank = 1; rank < count; ++rank) others.emplace_back(play, rank);
  play(0);
  for (std::thread& each : others) each.join();
  std::string text;
  for (std::string const& each : got) text += each + " ";
  EXPECT_EQ(exchanges, std::vector<int>(count, exchanges[0])) << "an exchange is collective";
  EXPECT_EQ(objects(), 0u) << "the name is gone when all have it open, or will never have";
  return text + std::to_string(exchanges[0]);
}

TEST(mpi_host_memory, processes_of_a_host_reach_each_other) {
  EXPECT_EQ(reached({on("a"), on("a"), on("a")}), "12 02 01 2");
  EXPECT_EQ(reached({on("a"), on("a")}), "1 0 2") << "the next job of the same processes";
}

TEST(mpi_host_memory, each_host_has_its_own) {
  EXPECT_EQ(reached({on("a"), on("b"), on("a"), on("b"), on("c")}), "2 3 0 1 - 2");
}

TEST(mpi_host_memory, a_host_of_which_one_process_does_not_want_it_has_none) {
  EXPECT_EQ(reached({on("a"), on("a", false), on("b"), on("b")}), "- - 3 2 2");
}

TEST(mpi_host_memory, where_nobody_can_share_nobody_asks) {
  EXPECT_EQ(reached({on("a"), on("b")}), "- - 0");
  EXPECT_EQ(reached({on("a", false), on("a")}), "- - 0");
}

/// The name of a host may be that of two machines; or an object cannot be opened.
TEST(mpi_host_memory, where_one_process_finds_no_such_object_its_host_has_none) {
  auto const wrong_byte = [](std::size_t at) {
    return [at](std::uint32_t rank, int exchange, std::span<std::byte> all) {
      if (rank == 1 && exchange == 0) all[at] ^= std::byte{1};
    };
  };
  constexpr std::size_t in_name = 3, in_key = 48;
  EXPECT_EQ(reached({on("a"), on("a"), on("b"), on("b")}, wrong_byte(in_name)), "- - 3 2 2");
  EXPECT_EQ(reached({on("a"), on("a"), on("b"), on("b")}, wrong_byte(in_key)), "- - 3 2 2");
}

TEST(mpi_host_memory, where_the_first_process_has_no_object_its_host_has_none) {
  auto const no_offers = [](std::uint32_t rank, int exchange, std::span<std::byte> all) {
    if (rank != 0 && exchange == 0) all[0] = std::byte{0};
  };
  EXPECT_EQ(reached({on("a"), on("a"), on("a")}, no_offers), "- - - 2");
}

TEST(mpi_host_memory, a_host_with_too_many_processes_has_none) {
  std::vector<presence> many(ring_shape::most_processes + 1, on("a"));
  EXPECT_TRUE(places_on_host(many, 0).empty());
  many.pop_back();
  EXPECT_EQ(places_on_host(many, 0).size(), ring_shape::most_processes);
}

}  // namespace
}  // namespace sheaf::mpi
