// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/sharing.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

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
  void exchange(std::span<std::byte const> mine, std::span<std::byte> all) override { all_.exchange(mine, all); }
  std::optional<std::int64_t> sum(std::int64_t mine) override { return mine; }
  void abort(std::uint32_t, std::string_view) noexcept override {}
  void close() noexcept override {}

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
    sharing const host = share_memory(job, all, 8);
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

}  // namespace
}  // namespace sheaf::net
