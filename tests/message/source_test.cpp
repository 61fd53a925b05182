// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A source of somebody else's in front of the streams.
#include "sheaf/message/sender.hpp"
#include "sheaf/message/stream.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "message/probe.hpp"
#include "sheaf/message/location.hpp"

namespace {

using sheaf::detail::flush_reason;
using sheaf_test::lone_location;

/// Keeps values for location 1 until it is flushed or has to make room.
class keeper final : public sheaf::detail::source {
 public:
  explicit keeper(lone_location& by) : by_(by) { by_.here.out().add(*this); }
  ~keeper() { by_.here.out().remove(*this); }

  void keep(std::uint64_t value) { values.push_back(value); }
  void flush(flush_reason why) override {
    reasons.push_back(why);
    while (release(true)) {
    }
  }
  [[nodiscard]] bool empty() const override { return values.empty(); }
  [[nodiscard]] bool may_leave() const override { return !values.empty(); }
  bool release(bool) override {
    if (values.empty()) return false;
    by_.put(1, values.front());
    values.erase(values.begin());
    return true;
  }

  std::vector<std::uint64_t> values;
  std::vector<flush_reason> reasons;

 private:
  lone_location& by_;
};

TEST(source, keeps_its_location_from_being_quiet) {
  lone_location l;
  keeper cache(l);
  EXPECT_TRUE(l.here.in().quiet(l.here.registered().world()));
  cache.keep(1);
  EXPECT_FALSE(l.here.out().empty());
  EXPECT_FALSE(l.here.in().quiet(l.here.registered().world()));
}

TEST(source, is_flushed_before_the_streams_so_that_all_leaves_at_once) {
  lone_location l;
  keeper cache(l);
  cache.keep(1);
  cache.keep(2);
  l.here.out().flush(flush_reason::fence);
  EXPECT_EQ(cache.reasons, std::vector<flush_reason>{flush_reason::fence});
  EXPECT_TRUE(l.here.in().quiet(l.here.registered().world()));
  EXPECT_EQ(l.net.sent_to(1), 1u);
  EXPECT_EQ(l.here.registered().world().sent, 2u);
}

TEST(source, hands_on_what_it_holds_when_its_location_waits) {
  lone_location l;
  keeper cache(l);
  cache.keep(7);
  l.net.on_idle = [] {};
  l.here.wait(sheaf::detail::wait_kind::answer, [&] { return l.net.idled == 1; });
  EXPECT_TRUE(cache.empty());
  EXPECT_EQ(l.net.sent_to(1), 1u);
}

TEST(source, is_asked_for_room_in_the_budget) {
  auto settings = sheaf_test::fake_settings();
  settings.buffer_budget = 1;  // no buffer fits beside another one
  lone_location l(settings);
  keeper cache(l);
  cache.keep(1);
  l.put(2, 5);
  l.put(3, 6);
  EXPECT_TRUE(cache.empty()) << "making room for the second buffer, all were asked";
}

TEST(source, may_make_room_by_what_goes_to_the_same_destination) {
  for (unsigned blocks = 0; blocks < 5; ++blocks) {
    auto settings = sheaf_test::fake_settings();
    settings.buffer_budget = 1 + blocks * settings.buffer_bytes * lone_location(settings).net.size();
    lone_location l(settings);
    keeper cache(l);
    for (std::uint32_t to : {2u, 3u, 0u}) l.put(to, 5);
    cache.keep(7);
    l.put(1, 6);
    l.here.out().flush();
    EXPECT_EQ(l.here.registered().world().sent, 5u) << "none is lost with a share of " << blocks << " buffers";
  }
}

/// With buffers that age from 500 ns on.
sheaf::options ageing() {
  auto settings = sheaf_test::fake_settings();
  settings.flush_age_ns = 500;
  return settings;
}

TEST(source, is_flushed_by_age_though_no_buffer_is_open) {
  lone_location l(ageing());
  keeper cache(l);
  l.here.step();
  cache.keep(7);
  l.net.clock += 10'000;
  l.here.step();
  EXPECT_FALSE(cache.empty()) << "it ages from when its location looks";
  l.net.clock += 499;
  l.here.step();
  EXPECT_FALSE(cache.empty());
  l.net.clock += 1;
  l.here.step();
  EXPECT_TRUE(cache.empty());
  EXPECT_EQ(cache.reasons, std::vector<flush_reason>{flush_reason::age});
  EXPECT_EQ(l.net.sent_to(1), 1u);
}

TEST(source, that_tells_when_it_begins_to_hold_ages_from_then_on) {
  lone_location l(ageing());
  keeper cache(l);
  l.here.out().begins_to_hold();
  cache.keep(7);
  EXPECT_EQ(l.here.out().flush_due(), l.net.clock + 500);
  l.net.clock += 500;
  l.here.step();
  EXPECT_TRUE(cache.empty());
  EXPECT_EQ(l.here.out().flush_due(), 0u) << "nothing is held";
}

TEST(source, that_begins_to_hold_later_is_as_old_as_the_oldest) {
  lone_location l(ageing());
  keeper cache(l);
  l.put(2, 1);
  l.net.clock += 400;
  l.here.out().begins_to_hold();
  cache.keep(7);
  l.net.clock += 100;
  l.here.step();
  EXPECT_TRUE(cache.empty());
  EXPECT_EQ(l.net.sent.size(), 2u);
}

TEST(source, is_asked_no_more_once_it_is_removed) {
  lone_location l;
  {
    keeper cache(l);
    cache.keep(1);
  }
  EXPECT_TRUE(l.here.out().empty());
  l.here.out().flush();
  EXPECT_TRUE(l.net.sent.empty());
}

}  // namespace
