// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/segment.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/machine.hpp"

namespace sheaf_test {
namespace {

using sheaf::host::memory_file;
using sheaf::host::segment;

constexpr std::size_t MiB = std::size_t{1} << 20;

struct lone_segment {
  explicit lone_segment(std::size_t bytes) : file(memory_file::create(problem)), size(bytes) {
    start = static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.file.number(), 0));
    own = std::make_unique<segment>(std::move(file.file), start, bytes);
  }
  lone_segment(lone_segment const&) = delete;
  lone_segment& operator=(lone_segment const&) = delete;
  ~lone_segment() { munmap(start, size); }

  std::byte* take(std::size_t bytes, int value = 1) const {
    std::byte* const piece = own->take(bytes);
    std::memset(piece, value, bytes);  // a page that is not there would end this test by a signal
    return piece;
  }

  std::string problem;
  memory_file file;
  std::size_t size;
  std::byte* start = nullptr;
  std::unique_ptr<segment> own;
};

TEST(segment, pieces_of_all_sizes_are_there_aligned_and_apart) {
  lone_segment s(1024 * MiB);
  struct piece {
    std::byte* at;
    std::size_t bytes;
    int value;
  };
  std::vector<piece> all;
  int value = 0;
  for (std::size_t bytes = 1; bytes < 20 * MiB; bytes = bytes * 3 + 1) {
    for (int i = 0; i < 3; ++i) all.push_back({s.take(bytes, ++value), bytes, value});
  }
  for (piece const& p : all) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p.at) % 64, 0u);
    EXPECT_TRUE(std::all_of(p.at, p.at + p.bytes, [&](std::byte b) { return b == static_cast<std::byte>(p.value); }));
  }
}

TEST(segment, what_is_given_back_is_taken_again_whatever_it_was_used_for) {
  lone_segment s(64 * MiB);
  std::byte* const small = s.take(33'000);
  s.own->give_back(small, 33'000);
  EXPECT_EQ(s.take(60'000), small);
  std::byte* const large = s.take(5 * MiB);
  s.own->give_back(large, 5 * MiB);
  EXPECT_EQ(s.take(8 * MiB), large);
}

TEST(segment, pages_of_large_pieces_go_back_to_the_system_beyond_some) {
  lone_segment s(512 * MiB);
  std::size_t const before = s.own->backed();
  std::byte* const piece = s.take(40 * MiB);
  EXPECT_GE(s.own->backed(), before + 40 * MiB);
  EXPECT_LT(s.own->backed(), before + 41 * MiB) << "only what was asked for";
  std::byte* const other = s.take(40 * MiB);
  s.own->give_back(piece, 40 * MiB);
  EXPECT_GE(s.own->backed(), before + 80 * MiB) << "the next one will need it";
  s.own->give_back(other, 40 * MiB);
  EXPECT_LT(s.own->backed(), before + 41 * MiB);
  EXPECT_EQ(s.take(50 * MiB), other) << "its pages are there again";
  EXPECT_EQ(s.take(50 * MiB), piece) << "and those that were missing";
}

/// A piece that is used again for less keeps the pages that it has, which count.
TEST(segment, what_is_kept_counts_the_pages_that_are_there) {
  lone_segment s(1024 * MiB);
  std::size_t const before = s.own->backed();
  constexpr std::size_t whole = 2 * MiB, part = MiB + MiB / 8;
  std::vector<std::byte*> all;
  for (int i = 0; i < 60; ++i) all.push_back(s.take(whole));
  for (int round = 0; round < 2; ++round) {
    for (std::byte* const piece : all) s.own->give_back(piece, round == 0 ? whole : part);
    EXPECT_LE(s.own->backed(), before + segment::kept) << "round " << round;
    for (std::byte*& piece : all) piece = s.take(part);
  }
}

TEST(segment, a_limit_on_files_is_bad_alloc_and_no_signal) {
  pid_t const child = fork();
  if (child == 0) {
    lone_segment s(64 * MiB);
    s.take(MiB);
    rlimit const few{8 * MiB, 8 * MiB};
    setrlimit(RLIMIT_FSIZE, &few);
    bool refused = false;
    try {
      s.take(16 * MiB);
    } catch (std::bad_alloc const&) {
      refused = true;
    }
    s.take(2 * MiB);
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(segment, what_does_not_fit_is_bad_alloc_and_harms_nothing) {
  lone_segment s(16 * MiB);
  EXPECT_THROW(s.own->take(17 * MiB), std::bad_alloc);
  EXPECT_THROW(s.own->take(std::size_t{1} << 62), std::bad_alloc);
  EXPECT_NO_THROW(s.take(8 * MiB));
  EXPECT_THROW(for (int i = 0; i < 10'000; ++i) s.take(4096), std::bad_alloc);
}

TEST(segment, memory_that_the_system_refuses_is_bad_alloc) {
  lone_segment s(16 * MiB);
  s.take(100);
  std::string problem;
  segment sealed(memory_file::open(getpid(), 1'000'000, 1, problem).file, s.start, s.size);  // no file: it refuses
  EXPECT_THROW(sealed.take(2 * MiB), std::bad_alloc);
}

/// The file would take pages until the system ends some process.
TEST(segment, more_than_the_machine_has_is_bad_alloc_at_once) {
  std::size_t const all = sheaf::detail::available_memory();
  lone_segment s(std::bit_ceil(2 * all));
  EXPECT_THROW(s.own->take(all + MiB), std::bad_alloc);
  EXPECT_NO_THROW(s.take(MiB));
}

TEST(segment, threads_take_and_give_back_at_the_same_time) {
  lone_segment s(512 * MiB);
  auto const work = [&](int who) {
    for (std::size_t i = 0; i < 2000; ++i) {
      std::size_t const bytes = 64 + i * 37 % 5000;
      std::byte* const piece = s.take(bytes, who);
      EXPECT_TRUE(std::all_of(piece, piece + bytes, [&](std::byte b) { return b == static_cast<std::byte>(who); }));
      s.own->give_back(piece, bytes);
    }
  };
  std::vector<std::thread> all;
  for (int who = 1; who < 4; ++who) all.emplace_back(work, who);
  work(4);
  for (std::thread& t : all) t.join();
}

/// The segments of `n` processes in a row, each mapped by this one and, at the same addresses, by the others: here the
/// processes are objects. Each has a file of its own.
struct segments_of_a_host {
  explicit segments_of_a_host(std::size_t n) : bytes(n * size) {
    start =
        static_cast<std::byte*>(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    std::string problem;
    for (std::size_t i = 0; i < n; ++i) {
      memory_file made = memory_file::create(problem);
      std::byte* const at = start + i * size;
      mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, made.file.number(), 0);
      all.push_back(std::make_unique<segment>(std::move(made.file), at, size, 0, std::span(start, bytes)));
    }
  }
  segments_of_a_host& operator=(segments_of_a_host&&) = delete;
  ~segments_of_a_host() { munmap(start, bytes); }

  static constexpr std::size_t size = 256 * MiB;
  std::size_t const bytes;
  std::byte* start = nullptr;
  std::vector<std::unique_ptr<segment>> all;
};

TEST(segment, a_piece_that_another_process_gives_back_is_taken_again_by_its_owner) {
  segments_of_a_host s(3);
  for (std::size_t const bytes : {64UL, 5000UL, 33'000UL, 3 * MiB}) {
    std::byte* const piece = s.all[1]->take(bytes);
    std::memset(piece, 1, bytes);
    s.all[2]->give_back(piece, bytes);
    EXPECT_NE(s.all[2]->take(bytes), piece) << "it is not the other's";
    EXPECT_EQ(s.all[1]->take(bytes), piece);
    EXPECT_NE(s.all[1]->take(bytes), piece) << "once";
  }
}

TEST(segment, many_pieces_wait_for_their_owner_and_their_pages_count) {
  segments_of_a_host s(2);
  std::size_t const before = s.all[0]->backed();
  std::vector<std::byte*> pieces;
  for (int i = 0; i < 12; ++i) pieces.push_back(s.all[0]->take(10 * MiB));
  EXPECT_GE(s.all[0]->backed(), before + 120 * MiB);
  for (std::byte* const piece : pieces) s.all[1]->give_back(piece, 10 * MiB);
  std::byte* const small = s.all[0]->take(64);  // which looks at what has come back
  EXPECT_LE(s.all[0]->backed(), before + segment::kept + 11 * MiB) << "pages beyond some go back to the system";
  s.all[1]->give_back(small, 64);
  std::sort(pieces.begin(), pieces.end());
  std::vector<std::byte*> again;
  for (int i = 0; i < 12; ++i) {
    again.push_back(s.all[0]->take(10 * MiB));
    std::memset(again.back(), 2, 10 * MiB);  // a page that is not there would end this test by a signal
  }
  std::sort(again.begin(), again.end());
  EXPECT_EQ(again, pieces);
}

/// A piece is in use by one at a time, and none is lost: in the end each owner takes all that it has ever made.
TEST(segment, processes_give_back_to_each_other_at_the_same_time) {
  constexpr std::size_t n = 3, rounds = 30'000, bytes = 100;
  segments_of_a_host s(n);
  std::vector<std::atomic<std::byte*>> handed(n);  // to whom it is to be given back by another one
  std::vector<std::set<std::byte*>> made(n);
  std::atomic<std::uint64_t> wrong{0};
  auto const work = [&](std::size_t who) {
    auto const mine = static_cast<std::byte>(who + 1);
    for (std::size_t i = 0; i < rounds; ++i) {
      std::byte* const piece = s.all[who]->take(bytes);
      made[who].insert(piece);
      std::memset(piece, static_cast<int>(who + 1), bytes);
      if (!std::all_of(piece, piece + bytes, [&](std::byte b) { return b == mine; })) ++wrong;
      std::byte* const other = handed[(who + i) % n].exchange(piece);
      if (other != nullptr) s.all[who]->give_back(other, bytes);
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t who = 1; who < n; ++who) threads.emplace_back(work, who);
  work(0);
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0u) << "a piece was given to two";
  for (auto& one : handed) s.all[0]->give_back(one, bytes);
  for (std::size_t who = 0; who < n; ++who) {
    std::set<std::byte*> again;
    for (std::size_t i = 0; i < made[who].size(); ++i) again.insert(s.all[who]->take(bytes));
    EXPECT_EQ(again, made[who]) << "of process " << who;
  }
}

TEST(segment, pieces_that_others_give_back_at_the_same_time_all_come_back) {
  constexpr std::size_t others = 3, each = 100'000, bytes = 64;
  segments_of_a_host s(1 + others);
  std::vector<std::byte*> pieces(others * each);
  for (std::byte*& piece : pieces) piece = s.all[0]->take(bytes);
  std::vector<std::thread> threads;
  std::atomic<std::size_t> here{0};
  for (std::size_t who = 0; who < others; ++who) {
    threads.emplace_back([&, who] {
      for (++here; here < others;) std::this_thread::yield();  // all begin together
      for (std::size_t i = 0; i < each; ++i) s.all[1 + who]->give_back(pieces[who * each + i], bytes);
    });
  }
  for (std::thread& t : threads) t.join();
  std::set<std::byte*> again;
  for (std::size_t i = 0; i < pieces.size(); ++i) again.insert(s.all[0]->take(bytes));
  EXPECT_EQ(again.size(), pieces.size()) << "a piece comes twice";
  EXPECT_TRUE(std::all_of(pieces.begin(), pieces.end(), [&](std::byte* piece) { return again.contains(piece); }));
}

TEST(segment, guards_are_those_of_the_process_whose_memory_it_is) {
  segments_of_a_host s(3);
  auto const address = [](void const* of) { return reinterpret_cast<std::uintptr_t>(of); };
  std::byte* const piece = s.all[1]->take(100);
  for (auto const& by : s.all) {
    EXPECT_EQ(&by->guards_for(address(piece)), &s.all[1]->guards_for(address(piece))) << "all agree";
    EXPECT_EQ(&by->guards_for(address(s.start)), &s.all[0]->guards_for(address(s.start)));
    EXPECT_EQ(&by->guards_for(address(s.start + s.bytes - 1)), &s.all[2]->guards_for(address(s.all[2]->take(1))));
  }
  int outside = 0;
  EXPECT_NE(&s.all[0]->guards_for(address(&outside)), &s.all[1]->guards_for(address(&outside)));
  EXPECT_EQ(&s.all[2]->guards_for(address(&outside)), &s.all[2]->guards_for(address(s.all[2]->take(1))));
  EXPECT_EQ(&s.all[2]->guards_for(address(s.start + s.bytes)), &s.all[2]->guards_for(address(&outside)));
  auto& guards = s.all[0]->guards_for(address(piece));
  constexpr std::size_t one = sheaf::memory_guards::bytes_of_one;
  EXPECT_EQ(&guards.of(address(s.start)), &guards.of(address(s.start) + one - 1 - address(s.start) % one));
  EXPECT_NE(&guards.of(address(s.start)), &guards.of(address(s.start) + one));
  EXPECT_EQ(&guards.of(address(s.start)), &guards.of(address(s.start) + one * sheaf::memory_guards::count));
  for (auto const& guard : guards.all) EXPECT_EQ(guard.taken, 0u);
}

}  // namespace
}  // namespace sheaf_test
