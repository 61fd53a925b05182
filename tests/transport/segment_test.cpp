// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/segment.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

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

}  // namespace
}  // namespace sheaf_test
