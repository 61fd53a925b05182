// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <utility>

#include "harness/text_of.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf_test {

/// What each location of a test runs.
using program = std::function<void(sheaf::team const&)>;

/// One location around a program, as sheaf::run has it, without the rmi layer.
inline void play(sheaf::endpoint& connection, sheaf::options const& settings, program const& f) {
  sheaf::detail::location here(connection, settings);
  sheaf::detail::location* const before = std::exchange(sheaf::detail::ambient_location, &here);
  sheaf::detail::make_collectives(here);
  try {
    sheaf::team const world = team_of(here, here.registered().world());
    f(world);
    sheaf::fence(world);
  } catch (std::exception const& thrown) {
    connection.fail(thrown.what());
    sheaf::detail::destroy_collectives(here);
    sheaf::detail::ambient_location = before;
    throw;
  }
  sheaf::detail::destroy_collectives(here);
  sheaf::detail::ambient_location = before;
}

class job final : public sheaf::location_body {
 public:
  job(sheaf::options const& settings, program f) : settings_(settings), program_(std::move(f)) {}

  void run(sheaf::endpoint& connection) override {
    try {
      play(connection, settings_, program_);
    } catch (std::exception const& thrown) {
      std::lock_guard const lock(mutex_);
      if (problem_.empty()) problem_ = thrown.what();
    }
  }
  [[nodiscard]] std::string const& problem() const { return problem_; }

 private:
  sheaf::options const settings_;
  program const program_;
  std::mutex mutex_;
  std::string problem_;
};

/// Where and how large a test's job is.
struct setting {
  sheaf::transport_kind transport;
  unsigned locations;
  sheaf::fence_form_kind form;
  unsigned threads = 0;  ///< sim: locations of each process

  [[nodiscard]] sheaf::options options() const {
    sheaf::options o = sheaf::options::from_environment();
    o.transport = transport;
    o.locations = locations;
    o.threads = threads;
    o.fence_form = form;
    o.tree_arity = form == sheaf::fence_form_kind::tree ? 2 : 0;
    return o.resolved();
  }
};

inline std::string name_of(setting const& s) {
  return std::string(name(s.transport)) + "_" + name(s.form) + "_n" + std::to_string(s.locations) +
         (s.threads == 0 ? "" : "_t" + std::to_string(s.threads));
}
inline void PrintTo(setting const& s, std::ostream* to) { *to << name_of(s); }

/// Runs `f` on every location; a location's exception fails the test.
inline void run_job(sheaf::options const& settings, program f) {
  job body(settings, std::move(f));
  if (settings.transport == sheaf::transport_kind::sim) {
    launch_simulator(settings, body);
  } else {
    launch_threads(settings, body);
  }
  EXPECT_EQ(body.problem(), "");
}

/// The text of the usage_error that f throws, without the place of the call behind it.
template <class F>
std::string usage_text(F f) {
  std::string const text = sheaf_test::text_of<sheaf::usage_error>(f);
  return text.substr(0, text.find(" (called at "));
}

/// Tests of this class run over threads and in the simulator, with both forms of waves.
class on_all : public testing::TestWithParam<setting> {
 protected:
  static void run(program f) { run_job(GetParam().options(), std::move(f)); }
};

inline std::vector<setting> all_settings() {
  std::vector<setting> all;
  for (auto const transport : {sheaf::transport_kind::thread, sheaf::transport_kind::sim}) {
    for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
      for (unsigned const n : {1u, 2u, 3u, 4u, 7u, 8u}) all.push_back({transport, n, form});
    }
  }
  for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
    for (unsigned const n : {2u, 3u, 7u, 8u}) all.push_back({sheaf::transport_kind::sim, n, form, 2});
    all.push_back({sheaf::transport_kind::sim, 7, form, 3});
  }
  return all;
}

inline std::string test_name(testing::TestParamInfo<setting> const& info) { return name_of(info.param); }

}  // namespace sheaf_test
