// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/segment.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <new>
#include <numeric>
#include <thread>

#include "sheaf/base/error.hpp"
#include "transport/host/host_endpoint.hpp"
#include "transport/several_processes.hpp"

namespace sheaf_test {
namespace {

using sheaf::host::host_map;
using sheaf::host::segment;

std::vector<std::uint32_t> ranks(std::uint32_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

host_map open(company& c, std::vector<std::uint32_t> const& members) {
  return {[&c](auto mine, auto all) { c.exchange(mine, all); }, members, c.self(), c.size(), 1000};
}
host_map open(company& c) { return open(c, ranks(c.size())); }

bool same_bytes(std::byte const* at, std::size_t bytes, std::byte value) {
  return std::all_of(at, at + bytes, [value](std::byte b) { return b == value; });
}

/// Each process takes memory after all have met, and tells the next one where it is.
bool pass_on_pointers(company& c) {
  host_map const map = open(c);
  if (!map.any()) return false;
  constexpr std::size_t bytes = std::size_t{3} << 20;
  std::byte* const mine = map.own().take(bytes);
  std::memset(mine, static_cast<int>(c.self() + 1), bytes);
  auto const told = reinterpret_cast<std::uint64_t>(mine);
  std::vector<std::uint64_t> all(c.size());
  c.exchange(std::as_bytes(std::span(&told, 1)), std::as_writable_bytes(std::span(all)));
  bool good = same_bytes(map.root(c.self()), 1000, std::byte{0});
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    auto* const theirs = reinterpret_cast<std::byte*>(all[i]);
    good = good && theirs >= map.root(i) + 1000 && same_bytes(theirs, bytes, static_cast<std::byte>(i + 1));
  }
  c.meet();
  return good;
}

TEST(host_map, a_pointer_means_the_same_in_all_processes) {
  for (std::uint32_t const n : {1u, 2u, 5u}) EXPECT_EQ(company(n).play(pass_on_pointers), 0) << n << " processes";
}

TEST(host_map, what_a_process_wrote_outlives_it_where_others_look) {
  company c(2);
  EXPECT_EQ(c.play([](company& all) {
    host_map map = open(all);
    if (all.self() == 1) {
      std::byte* const mine = map.own().take(100);
      *mine = std::byte{7};
      all.word() = reinterpret_cast<std::uint64_t>(mine);
      map = host_map();
      return true;
    }
    while (all.word() == 0) sched_yield();
    return *reinterpret_cast<std::byte*>(all.word().load()) == std::byte{7};
  }),
            0);
}

TEST(host_map, others_on_the_list_share_while_one_only_takes_part) {
  company c(3);
  EXPECT_EQ(c.play([](company& all) {
    bool const apart = all.self() == 1;
    host_map const map = open(all, apart ? std::vector<std::uint32_t>() : std::vector<std::uint32_t>{0, 2});
    all.meet();
    return map.any() != apart && map.problem().empty();
  }),
            0);
}

TEST(host_map, all_share_or_none_and_the_reason_names_who_cannot) {
  company c(3);
  EXPECT_EQ(c.play([](company& all) {
    rlimit few{};
    getrlimit(RLIMIT_NOFILE, &few);
    rlimit const before = few;
    few.rlim_cur = all.self() == 1 ? 0 : few.rlim_cur;
    setrlimit(RLIMIT_NOFILE, &few);
    host_map const map = open(all);
    setrlimit(RLIMIT_NOFILE, &before);
    all.meet();
    return !map.any() && map.problem().find("memfd_create: Too many open files") != std::string::npos;
  }),
            0);
}

TEST(host_map, where_addresses_are_limited_smaller_segments_or_none_are_made) {
  company c(2);
  EXPECT_EQ(c.play([](company& all) {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = std::size_t{1} << 30;
    if (all.self() == 1) setrlimit(RLIMIT_AS, &limit);
    host_map const map = open(all);
    all.meet();
    return !map.any() && map.problem().find("ulimit -v") != std::string::npos;
  }),
            0);
}

TEST(host_map, a_child_does_not_inherit_it) {
  company c(1);
  EXPECT_EQ(c.play([](company& all) {
    host_map const map = open(all);
    if (!map.any()) return false;
    std::byte* const mine = map.own().take(64);
    unsigned char resident = 0;
    auto* const page = reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(mine) & ~std::uint64_t{4095});
    pid_t const child = fork();
    if (child == 0) _exit(mincore(page, 1, &resident) == 0 ? 1 : 0);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 && mincore(page, 1, &resident) == 0;
  }),
            0);
}

/// One process is killed while the others sleep, and no launcher sees it.
TEST(host_map, who_sleeps_learns_that_a_process_was_killed) {
  company c(3);
  int const lost = c.play([](company& all) {
    host_map const map({[&](auto mine, auto theirs) { all.exchange(mine, theirs); }}, ranks(3), all.self(), 3,
                       sheaf::host::process_root::bytes(1));
    std::vector<sheaf::host::process_root*> roots;
    for (std::uint32_t i = 0; i < 3; ++i) roots.push_back(reinterpret_cast<sheaf::host::process_root*>(map.root(i)));
    sheaf::options one;
    one.transport = sheaf::transport_kind::mpi;
    one = one.resolved();
    one.locations = 1;
    one.spin_polls = one.yield_polls = 1;
    sheaf::host::host_job job(one, roots, all.self(), map.own(), [&]() -> std::string {
      for (std::uint32_t i = 0; i < 3; ++i) {
        if (map.has_gone(i)) return "process " + std::to_string(i) + " has gone";
      }
      return {};
    });
    sheaf::host::host_endpoint self(sheaf::location_id{all.self()}, job);
    if (map.has_gone(1)) return false;
    all.meet();
    if (all.self() == 1) raise(SIGKILL);
    try {
      for (std::uint32_t round = 2;; ++round) self.idle(round);
    } catch (sheaf::job_aborted const& ended) {
      return std::string(ended.what()).find("process 1 has gone") != std::string::npos;
    }
  });
  EXPECT_EQ(lost, 1) << "the one that was killed";
}

TEST(memory_file, another_file_under_the_number_is_not_opened) {
  std::string problem;
  auto const one = sheaf::host::memory_file::create(problem);
  EXPECT_TRUE(sheaf::host::memory_file::open(getpid(), one.file.number(), one.key, problem).file);
  EXPECT_EQ(problem, "");
  EXPECT_FALSE(sheaf::host::memory_file::open(getpid(), one.file.number(), one.key + 1, problem).file);
  EXPECT_NE(problem.find("different namespaces"), std::string::npos);
  EXPECT_FALSE(sheaf::host::memory_file::open(getpid(), 1'000'000, one.key, problem).file);
  EXPECT_NE(problem.find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace sheaf_test
