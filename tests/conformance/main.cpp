// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// One job that runs every case on every location: `test_conformance [PART-OF-A-NAME]`. The transport, the number of
/// locations and all caps come from the launcher, the SHEAF_* variables and test_options. Exit code 1 when a check
/// failed anywhere here.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "conformance/ending.hpp"
#include "conformance/suite.hpp"
#include "harness/test_options.hpp"

namespace {

/// Where the test will be stopped after SHEAF_TEST_LIMIT seconds, says a little earlier what its locations wait for.
void say_before_the_end() {
  char const* const limit = std::getenv("SHEAF_TEST_LIMIT");
  if (limit == nullptr) return;
  std::thread([seconds = std::atoi(limit) - 15] {
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    for (int const each : {SIGUSR1, SIGUSR2}) {
      struct sigaction now {};
      sigaction(each, nullptr, &now);
      if (now.sa_handler != SIG_DFL) kill(getpid(), each);
    }
  }).detach();
}

}  // namespace

int main(int argc, char** argv) try {
  std::string_view const filter = argc > 1 ? argv[1] : "";
  say_before_the_end();
  int const failed = sheaf::run(sheaf_test::test_options(), [&](sheaf::team world) {
    sheaf_test::suite s(world);
    sheaf_test::prepare_ending(s);
    int const failures = s.run_all(filter);
    sheaf_test::begin_ending(s);
    return failures == 0 ? 0 : 1;
  });
  if (failed != 0) return 1;
  return sheaf_test::check_ending();
} catch (std::exception const& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
