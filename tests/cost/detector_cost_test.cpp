// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What the end of an epoch costs by each detector: exact numbers of messages.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>

#include "runtime/grains.hpp"
#include "runtime/job.hpp"
#include "sheaf/messages.hpp"

namespace {

using sheaf::detection;
using sheaf::detector;
using sheaf::team;
using sheaf_test::setting;

constexpr std::size_t answers = static_cast<std::size_t>(sheaf::traffic::answer);

/// Messages of a member's end of an epoch, requests aside.
template <class Epoch>
std::uint64_t control_messages(team const& world, Epoch one_epoch) {
  constexpr std::uint64_t epochs = 4;
  auto const sent = [&world] {
    auto const& counts = here_of(world).connection().counts();
    return counts.inline_sent[answers] + counts.buffers_sent[answers];
  };
  std::uint64_t const before = sent();
  for (std::uint64_t i = 0; i < epochs; ++i) one_epoch();
  return (sent() - before) / epochs;
}

struct costs {
  detection how;
  std::uint64_t waves, waves_with_value, per_peer;
};
constexpr costs all[] = {{{}, 1, 1, 0},
                         {{detector::four_counter}, 2, 2, 0},
                         {{detector::sinha_kale_ramkumar}, 2, 2, 0},
                         {{detector::channel_counting}, 1, 1, 1},
                         {sheaf::nesting_depth(0), 1, 2, 0},
                         {sheaf::nesting_depth(3), 4, 5, 0}};

void in_jobs(auto body) {
  for (unsigned n = 1; n <= 9; n += 2) {
    sheaf::options o = setting{sheaf::transport_kind::sim, n, sheaf::fence_form_kind::dissemination}.options();
    o.ring_slots = 64;  // credit comes back late, since nothing but fences gives the simulator an occasion
    sheaf_test::run_job(o, [&](team const& world) { body(world, std::uint64_t{n}); });
  }
}

TEST(detector_cost, idle_epochs) {
  in_jobs([](team const& world, std::uint64_t n) {
    auto const rounds = static_cast<std::uint64_t>(std::bit_width(n - 1));
    for (costs const& each : all) {
      sheaf::detection_request const its(world, each.how);
      std::uint64_t const per_peer = each.per_peer * (n - 1);
      EXPECT_EQ(control_messages(world, [&] { sheaf::epoch(world, [] {}); }), each.waves * rounds + per_peer) << n;
      EXPECT_EQ(control_messages(world,
                                 [&] {
                                   sheaf::epoch(
                                       world, [] {}, 1, std::plus<>{});
                                 }),
                each.waves_with_value * rounds + per_peer)
          << n;
    }
  });
}

/// Exact whatever the schedule: that is what a declared depth is for.
TEST(detector_cost, a_nesting_depth_costs_two_messages_for_each_member_sent_to) {
  in_jobs([](team const& world, std::uint64_t n) {
    auto const rounds = static_cast<std::uint64_t>(std::bit_width(n - 1));
    std::uint64_t handled = 0;
    sheaf::message_type<int> type(world, [&](int) { ++handled; });
    sheaf::detection_request const flat(world, sheaf::nesting_depth(0));
    auto const send = [&] {
      for (std::uint32_t d = 0; d < n; ++d) type.send(d, 1), type.send(d, 2);
    };
    EXPECT_EQ(control_messages(world, [&] { sheaf::epoch(world, send); }), rounds + 2 * (n - 1)) << n;
    EXPECT_EQ(handled, 4 * 2 * n);
  });
}

}  // namespace
