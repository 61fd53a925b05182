// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "harness/text_of.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/run.hpp"

namespace sheaf_test {

inline sheaf::options job_of(sheaf::transport_kind transport, unsigned locations) {
  sheaf::options o;
  o.transport = transport;
  o.locations = locations;
  return o;
}

inline std::string name_of(testing::TestParamInfo<sheaf::transport_kind> const& info) { return name(info.param); }

/// Tests of this class run over threads and in the simulator.
class over : public testing::TestWithParam<sheaf::transport_kind> {
 protected:
  template <class F>
  static int run(unsigned locations, F&& f) {
    return sheaf::run(job_of(GetParam(), locations), std::forward<F>(f));
  }
  /// What the job says that fails in this program.
  template <class F>
  static std::string failure(unsigned locations, F&& f) {
    try {
      run(locations, std::forward<F>(f));
    } catch (sheaf::job_failed const& e) {
      return e.what();
    }
    return "it did not fail";
  }
};

inline void expect_in(char const* part, std::string const& text) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace sheaf_test

#define SHEAF_OVER_ALL(suite)                                                                                      \
  INSTANTIATE_TEST_SUITE_P(all, suite, testing::Values(sheaf::transport_kind::thread, sheaf::transport_kind::sim), \
                           sheaf_test::name_of)
