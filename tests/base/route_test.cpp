// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/route.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using sheaf::route;
using sheaf::route_kind;

constexpr route_kind kinds[] = {route_kind::direct,        route_kind::ring, route_kind::hypercube,
                                route_kind::dissemination, route_kind::grid, route_kind::node_wise};

/// The locations behind `from` on the path to `dest`.
std::vector<std::uint32_t> path(route const& by, std::uint32_t from, std::uint32_t dest, std::uint32_t locations) {
  std::vector<std::uint32_t> all;
  while (from != dest && all.size() <= by.most_hops()) {
    from = by.next(from, dest);
    EXPECT_LT(from, locations);
    all.push_back(from);
  }
  return all;
}

/// All paths between n locations; returns the length of the longest.
std::uint32_t longest_path(route const& by, std::uint32_t n) {
  std::uint32_t longest = 0;
  for (std::uint32_t from = 0; from < n; ++from) {
    std::set<std::uint32_t> neighbours;
    for (std::uint32_t dest = 0; dest < n; ++dest) {
      auto const hops = path(by, from, dest, n);
      EXPECT_EQ(hops.empty() ? from : hops.back(), dest) << name(by.kind()) << ' ' << n << ": " << from;
      if (!hops.empty()) neighbours.insert(hops.front());
      longest = std::max(longest, static_cast<std::uint32_t>(hops.size()));
    }
    EXPECT_LE(neighbours.size(), by.neighbours()) << name(by.kind()) << ' ' << n;
  }
  return longest;
}

TEST(route, leads_from_each_location_to_each_other_one) {
  for (route_kind const kind : kinds) {
    for (std::uint32_t n = 1; n <= 70; ++n) {
      for (std::uint32_t const per_host : {1u, 2u, 8u}) {
        route const by(kind, n, per_host);
        std::uint32_t const longest = longest_path(by, n);
        EXPECT_LE(longest, by.most_hops()) << name(kind) << ' ' << n;
        bool const exact = kind == route_kind::ring || (kind == route_kind::hypercube && std::has_single_bit(n));
        EXPECT_EQ(exact ? longest : by.most_hops(), by.most_hops()) << name(kind) << ' ' << n;
      }
    }
  }
}

/// An ordered pair, and whether in class late_hop (class_of_hop in src/message/router.cpp).
using link = std::tuple<std::uint32_t, std::uint32_t, bool>;
using waiting_links = std::map<link, std::set<link>>;

/// The last hop waits for nothing.
void add_path(waiting_links& waits_for, route const& by, std::uint32_t n) {
  for (std::uint32_t from = 0; from < n; ++from) {
    for (std::uint32_t dest = 0; dest < n; ++dest) {
      std::uint32_t at = from;
      bool late = by.kind() == route_kind::dissemination;
      link before{n, n, false};
      while (at != dest) {
        std::uint32_t const next = by.next(at, dest);
        late = late || (by.kind() == route_kind::ring && next < at);
        link const now{at, next, late};
        if (next != dest && std::get<0>(before) != n) waits_for[before].insert(now);
        before = now;
        at = next;
      }
    }
  }
}

/// Whether locations may wait for each other's credit in a cycle.
bool has_cycle(waiting_links const& all) {
  waiting_links waits_for = all;
  std::map<link, int> state;  // 1: on the way, 2: done
  auto const visit = [&](auto const& self, link const& one) -> bool {
    if (state[one] != 0) return state[one] == 1;
    state[one] = 1;
    for (link const& next : waits_for[one]) {
      if (self(self, next)) return true;
    }
    state[one] = 2;
    return false;
  };
  for (auto const& [one, next] : all) {
    if (visit(visit, one)) return true;
  }
  return false;
}

/// Message types may take different paths at a time.
TEST(route, has_no_cycle_of_waiting_links) {
  for (std::uint32_t n = 2; n <= 36; ++n) {
    waiting_links all;
    for (route_kind const kind : kinds) add_path(all, route(kind, n, 4), n);
    EXPECT_FALSE(has_cycle(all)) << n;
  }
}

/// Of messages from each location to each.
TEST(route, burdens_no_location_more_than_others) {
  for (route_kind const kind : kinds) {
    for (std::uint32_t const n : {64u, 90u}) {
      route const by(kind, n, 2);
      std::vector<std::uint64_t> passed_on(n);
      for (std::uint32_t from = 0; from < n; ++from) {
        for (std::uint32_t dest = 0; dest < n; ++dest) {
          for (std::uint32_t const hop : path(by, from, dest, n)) passed_on[hop] += hop != dest ? 1 : 0;
        }
      }
      auto const [least, most] = std::ranges::minmax(passed_on);
      bool const is_even = n == 64 || kind == route_kind::ring || kind == route_kind::dissemination;
      std::uint64_t const mean = std::accumulate(passed_on.begin(), passed_on.end(), std::uint64_t{0}) / n;
      EXPECT_LE(most, is_even ? least : mean * 5 / 2) << name(kind) << ' ' << n;
    }
  }
}

TEST(route, has_rising_stages) {
  for (route_kind const kind : {route_kind::hypercube, route_kind::dissemination}) {
    route const by(kind, 64, 2);
    for (std::uint32_t from = 0; from < 64; ++from) {
      for (std::uint32_t dest = 0; dest < 64; ++dest) {
        std::vector<std::uint32_t> stages;
        std::uint32_t at = from;
        for (std::uint32_t const hop : path(by, from, dest, 64))
          stages.push_back(by.stage(std::exchange(at, hop), hop));
        EXPECT_TRUE(std::ranges::adjacent_find(stages, std::ranges::greater_equal()) == stages.end()) << name(kind);
        EXPECT_TRUE(stages.empty() || stages.back() < route::last_stage);
      }
    }
  }
}

TEST(route, needs_few_buffers) {
  EXPECT_EQ(route(route_kind::direct, 65536, 64).neighbours(), 65535u);
  EXPECT_EQ(route(route_kind::grid, 65536, 64).neighbours(), 510u);
  EXPECT_EQ(route(route_kind::hypercube, 65536, 64).neighbours(), 16u);
  EXPECT_EQ(route(route_kind::dissemination, 65536, 64).neighbours(), 16u);
  EXPECT_EQ(route(route_kind::node_wise, 65536, 64).neighbours(), 63u + 1023u);
  EXPECT_EQ(route(route_kind::ring, 65536, 64).neighbours(), 1u);
}

TEST(route, is_chosen_by_what_the_budget_gives_each_destination) {
  std::size_t const mebi = std::size_t{1} << 20;
  EXPECT_EQ(route::chosen(64, 64, 8 * mebi), route_kind::direct);
  EXPECT_EQ(route::chosen(256, 8, 1), route_kind::direct) << "few";
  EXPECT_EQ(route::chosen(257, 8, 1), route_kind::hypercube);
  EXPECT_EQ(route::chosen(65536, 64, 16 * mebi), route_kind::direct);
  EXPECT_EQ(route::chosen(65536, 64, 4 * mebi), route_kind::node_wise);
  EXPECT_EQ(route::chosen(65536, 65536, 4 * mebi), route_kind::grid) << "on one host";
  EXPECT_EQ(route::chosen(65536, 1, 4 * mebi), route_kind::grid);
  EXPECT_EQ(route::chosen(65536, 64, 16384), route_kind::hypercube);
}

}  // namespace
