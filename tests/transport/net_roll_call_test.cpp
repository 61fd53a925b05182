// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/meeting.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "base/modules.hpp"
#include "sheaf/base/options.hpp"

namespace sheaf::net {
namespace {

presence process_on(char const* host, std::initializer_list<unsigned> cores) {
  presence p;
  p.build = 1;
  p.process = 123;
  std::snprintf(p.host, sizeof p.host, "%s", host);
  for (unsigned const core : cores) CPU_SET(core, &p.cores);
  return p;
}

TEST(net_roll_call, agrees_with_itself) {
  presence const own = own_presence({});
  EXPECT_EQ(own.build, detail::build_identity());
  EXPECT_NE(own.build, 0xcbf29ce484222325u) << "no file was looked at";
  presence const all[] = {own, own_presence({})};
  EXPECT_EQ(disagreement(all), "");
}

TEST(net_roll_call, another_build_is_named_with_both_places) {
  presence all[] = {process_on("left", {0}), process_on("left", {0}), process_on("right", {0})};
  all[2].build = 2;
  all[2].process = 456;
  EXPECT_EQ(
      disagreement(all),
      "MPI rank 0 (host left, process 123) and MPI rank 2 (host right, process 456) run different builds: start the "
      "same program file with the same libsheaf on every host");
}

TEST(net_roll_call, processes_of_unequally_crowded_hosts_agree_on_one_form_of_fence) {
  presence all[] = {process_on("left", {0}), process_on("left", {0}), process_on("right", {0})};
  for (presence& p : all) {
    bool const left = p.host[0] == 'l';
    p.fence_form = static_cast<std::uint32_t>(left ? fence_form_kind::tree : fence_form_kind::dissemination);
    p.tree_arity = left ? 64 : 4;
  }
  EXPECT_EQ(disagreement(all), "");
  for (presence const& own : all) {
    options o;
    o.fence_form = static_cast<fence_form_kind>(own.fence_form);
    o.tree_arity = own.tree_arity;
    o = agreed(o, all);
    EXPECT_EQ(o.fence_form, fence_form_kind::tree);
    EXPECT_EQ(o.tree_arity, 64u);
  }
}

options hybrid_of(unsigned threads) {
  options o;
  o.transport = transport_kind::hybrid;
  o.threads = threads;
  return o.resolved();
}

/// What is said of two processes with these settings.
std::string of_two(options const& first, options const& other) {
  presence const all[] = {own_presence(first), own_presence(other)};
  return disagreement(all);
}

/// What is said where `change` is made to the settings of the second process.
template <class Change>
std::string where(Change change) {
  options other = hybrid_of(1);
  change(other);
  return of_two(hybrid_of(1), other);
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

TEST(net_roll_call, other_settings_are_named_with_both_values) {
  std::string const several = where([](options& o) { o.window = 3, o.buffer_budget = 1000; });
  EXPECT_TRUE(has(several, "SHEAF_BUFFER_BUDGET_BYTES gives 536870912 and 1000; let"))
      << several << ": the cause first";
  EXPECT_TRUE(has(where([](options& o) { o.window = 9; }), " and 9; let the launcher pass"));
  EXPECT_TRUE(has(where([](options& o) { o.window = 9; }), "different settings: SHEAF_WINDOW gives "));
  EXPECT_TRUE(has(where([](options& o) { o.ring_slots = 1; }), "options::ring_slots gives 128 and 1;"));
  EXPECT_TRUE(has(where([](options& o) { o.buffer_bytes = 2048; }), " and 2048;")) << "in packets of one size";
  EXPECT_TRUE(has(where([](options& o) { o.heartbeat_limit_s = 7; }), "SHEAF_HEARTBEAT_LIMIT_S gives no value and 7;"));
  EXPECT_TRUE(has(where([](options& o) { o.wire = "fabric"; }), "SHEAF_WIRE gives no value and fabric;"));
  EXPECT_TRUE(has(where([](options& o) { o.trace = "/tmp/x"; }), "SHEAF_TRACE gives no value and a folder;"));
  EXPECT_TRUE(has(where([](options& o) { o.statistics = true; }), "SHEAF_STATISTICS gives 0 and 1;"));
  EXPECT_EQ(where([](options& o) { o.seed = 9, o.reserve_bytes = 1; }), "") << "may differ";
}

TEST(net_roll_call, processes_that_share_cores_are_crowded) {
  presence const bound[] = {process_on("a", {0}), process_on("a", {1})};
  EXPECT_FALSE(crowded(bound, 0));
  presence const free_to_move[] = {process_on("a", {0, 1}), process_on("a", {0, 1}), process_on("a", {0, 1})};
  EXPECT_TRUE(crowded(free_to_move, 2));
  presence const two_hosts[] = {process_on("a", {0}), process_on("b", {0}), process_on("b", {0})};
  EXPECT_FALSE(crowded(two_hosts, 0));
  EXPECT_TRUE(crowded(two_hosts, 1));
}

TEST(net_roll_call, another_number_of_threads_is_named) {
  EXPECT_TRUE(has(of_two(hybrid_of(1), hybrid_of(4)), "SHEAF_THREADS gives 1 and 4"));
}

presence threads_on(char const* host, std::uint32_t threads, std::initializer_list<unsigned> cores) {
  presence p = process_on(host, cores);
  p.threads = threads;
  return p;
}

TEST(net_roll_call, threads_count_as_locations_when_it_is_crowded) {
  presence const all[] = {threads_on("a", 2, {0, 1}), threads_on("b", 3, {0, 1})};
  EXPECT_FALSE(crowded(all, 0));
  EXPECT_TRUE(crowded(all, 1));
}

TEST(net_roll_call, locations_get_cores_side_by_side) {
  using cores = std::vector<int>;
  presence const enough[] = {threads_on("a", 2, {0, 2, 4, 5}), threads_on("b", 1, {0, 2, 4, 5}),
                             threads_on("a", 2, {0, 2, 4, 5})};
  EXPECT_EQ(own_cores(enough, 0), (cores{0, 2}));
  EXPECT_EQ(own_cores(enough, 2), (cores{4, 5}));
  presence const too_few[] = {threads_on("a", 3, {0, 1}), threads_on("a", 3, {0, 1})};
  EXPECT_EQ(own_cores(too_few, 0), cores{});
  presence const bound[] = {threads_on("a", 2, {0, 1}), threads_on("a", 2, {2, 3})};
  EXPECT_EQ(own_cores(bound, 1), (cores{2, 3}));
  presence const overlapping[] = {threads_on("a", 1, {0, 1}), threads_on("a", 1, {1})};
  EXPECT_EQ(own_cores(overlapping, 0), cores{});
}

}  // namespace
}  // namespace sheaf::net
