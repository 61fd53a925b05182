// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/job.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/text_of.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"

namespace {

sheaf::options alone() {
  sheaf::options o;
  o.transport = sheaf::transport_kind::thread;
  o.locations = 1;
  return o;
}

template <class F>
std::string usage_text(F f) {
  try {
    f();
  } catch (sheaf::usage_error const& e) {
    return e.what();
  }
  return "no usage_error";
}

TEST(job, is_begun_used_and_ended_by_calls_and_again) {
  for (int i = 0; i < 3; ++i) {
    sheaf::job job(alone());
    EXPECT_EQ(job.world().size(), 1u);
    EXPECT_EQ(sheaf::world().rank(), 0u) << "the caller is the location";
    sheaf::fence(job.world());
    EXPECT_EQ(sheaf::all_reduce(job.world(), 7, [](int a, int b) { return a + b; }), 7);
    job.end();
    EXPECT_NE(usage_text([] { static_cast<void>(sheaf::world()); }), "no usage_error") << "no longer";
  }
}

TEST(job, may_be_begun_and_ended_while_an_exception_is_handled) {
  try {
    throw std::runtime_error("outer");
  } catch (std::runtime_error const&) {
    sheaf::job job(alone());
    try {
      throw std::logic_error("inner");
    } catch (std::logic_error const& inner) {
      job.end();
      EXPECT_STREQ(inner.what(), "inner");
    }
    EXPECT_STREQ(std::runtime_error("outer").what(), "outer");
  }
}

TEST(job, that_is_destroyed_before_its_end_leaves_nothing_behind) {
  { sheaf::job job(alone()); }
  sheaf::job again(alone());
  again.end();
}

TEST(job, refuses_what_it_cannot_be) {
  sheaf::options o = alone();
  o.locations = 2;
  EXPECT_NE(usage_text([&] { sheaf::job{o}; }).find("2 threads (SHEAF_LOCATIONS)"), std::string::npos);
  o.transport = sheaf::transport_kind::sim;
  EXPECT_NE(usage_text([&] { sheaf::job{o}; }).find("the simulator"), std::string::npos);
  sheaf::job job(alone());
  EXPECT_NE(usage_text([&] { sheaf::job{alone()}; }).find("running job"), std::string::npos);
  std::string other;
  std::thread([&] { other = usage_text([&] { job.end(); }); }).join();
  EXPECT_NE(other.find("another thread"), std::string::npos);
  job.end();
  EXPECT_NE(usage_text([&] { job.end(); }).find("twice"), std::string::npos);
  EXPECT_NE(usage_text([&] { static_cast<void>(job.world()); }).find("after its end"), std::string::npos);
}

TEST(job, passes_on_what_the_settings_have_wrong) {
  sheaf::options o = alone();
  o.buffer_bytes = 1;
  EXPECT_THROW(sheaf::job{o}, sheaf::option_error);
}

}  // namespace
