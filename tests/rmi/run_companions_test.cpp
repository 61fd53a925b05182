// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Companions of a method: one that takes a whole run at once, one that says what will be touched.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sheaf/rmi/method_traits.hpp"
#include "sheaf/sheaf.hpp"

namespace sheaf_test {

struct taker : sheaf::distributed<taker> {
  using distributed::distributed;

  void take(std::uint32_t value) {
    values.push_back(value);
    ++singles;
  }
  void take_all(sheaf::packed<std::uint32_t> run) {
    for (std::size_t i = 0; i < run.size(); ++i) values.push_back(run[i]);
    runs.push_back(run.size());
  }
  static constexpr auto whole_run(sheaf::method_tag<&taker::take>) { return &taker::take_all; }

  void touch(std::uint64_t at) { touched.push_back(at); }
  void const* place_of(std::uint64_t at) {
    asked.push_back(at);
    touched_before.push_back(touched.size());
    return nullptr;  // need not be valid
  }

  std::vector<std::uint32_t> values;
  std::vector<std::size_t> runs;
  int singles = 0;
  std::vector<std::uint64_t> touched;
  std::vector<std::uint64_t> asked, touched_before;
};

}  // namespace sheaf_test

template <>
inline constexpr auto sheaf::prefetch_for<&sheaf_test::taker::touch> = &sheaf_test::taker::place_of;

namespace {

using sheaf_test::taker;

sheaf::options alone() {
  sheaf::options o;
  o.transport = sheaf::transport_kind::sim;
  o.locations = 1;
  o.buffer_bytes = o.first_flush_bytes = 512;
  return o;
}

TEST(whole_run, takes_every_value_once_in_order_and_no_single_one) {
  sheaf::run(alone(), [](sheaf::team world) {
    taker all(world);
    for (std::uint32_t i = 0; i < 1000; ++i) all.async<&taker::take>(0, i);
    sheaf::fence(world);
    ASSERT_EQ(all.values.size(), 1000u);
    for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(all.values[i], i);
    EXPECT_EQ(all.singles, 0);
    EXPECT_GT(all.runs.size(), 1u);
    EXPECT_EQ(all.runs.front(), (512u - sheaf::run_header::wire_bytes) / 4);
  });
}

TEST(whole_run, counts_as_so_many_requests_for_wait_for_request) {
  sheaf::run(alone(), [](sheaf::team world) {
    taker all(world);
    for (std::uint32_t i = 0; i < 3; ++i) all.async<&taker::take>(0, i);
    for (int i = 0; i < 3; ++i) sheaf::wait_for_request();
    EXPECT_EQ(all.runs, std::vector<std::size_t>{3});
  });
}

TEST(whole_run, is_not_used_where_an_answer_is_expected) {
  sheaf::run(alone(), [](sheaf::team world) {
    taker all(world);
    all.sync<&taker::take>(0, 7U);
    EXPECT_EQ(all.singles, 1);
    EXPECT_TRUE(all.runs.empty());
  });
}

TEST(prefetch, asks_once_for_each_request_64_records_ahead_and_changes_nothing_else) {
  sheaf::options job = alone();
  job.buffer_bytes = job.first_flush_bytes = 4096;
  sheaf::run(job, [](sheaf::team world) {
    taker all(world);
    std::uint64_t const one_run = (4096 - 20) / 8;
    for (std::uint64_t i = 0; i < one_run; ++i) all.async<&taker::touch>(0, i);
    sheaf::fence(world);
    ASSERT_EQ(all.touched.size(), one_run);
    for (std::uint64_t i = 0; i < one_run; ++i) EXPECT_EQ(all.touched[i], i);
    ASSERT_EQ(all.asked.size(), one_run);
    for (std::uint64_t i = 0; i < one_run; ++i) EXPECT_EQ(all.asked[i], i);
    for (std::uint64_t i = 0; i < one_run; ++i) EXPECT_EQ(all.touched_before[i], i < 64 ? 0 : i - 64);
  });
}

}  // namespace
