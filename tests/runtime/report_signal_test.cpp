// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/report_signal.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "harness/caught_stderr.hpp"
#include "sheaf/sheaf.hpp"

namespace {

/// Returns once this thread of the process is in a call of `read`.
void await_read(pid_t thread) {
  std::string const file = "/proc/self/task/" + std::to_string(thread) + "/stat";
  for (std::string text; text.find(") S ") == std::string::npos; std::this_thread::yield()) {
    std::getline(std::ifstream(file), text);
  }
}

TEST(report_signal, a_system_call_of_the_program_begins_again) {
  sheaf_test::caught_stderr const caught;
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  sheaf::options one;
  one.transport = sheaf::transport_kind::thread;
  one.locations = 1;
  sheaf::run(one, [&] {
    std::atomic<pid_t> number{0};
    ssize_t got = 0;
    std::thread reader([&] {
      number = gettid();
      char byte = 0;
      got = read(ends[0], &byte, 1);
    });
    while (number == 0) std::this_thread::yield();
    await_read(number);
    pthread_kill(reader.native_handle(), SIGUSR1);
    while (caught.text().find("asked by a signal") == std::string::npos) std::this_thread::yield();
    EXPECT_EQ(write(ends[1], "x", 1), 1);
    reader.join();
    EXPECT_EQ(got, 1);
  });
  for (int const each : ends) close(each);
}

TEST(report_signal, one_that_a_forked_child_gets_is_not_the_parents) {
  sheaf_test::caught_stderr const caught;
  sheaf::options one;
  one.transport = sheaf::transport_kind::thread;
  one.locations = 1;
  sheaf::run(one, [&] {
    pid_t const child = fork();
    if (child == 0) {
      raise(SIGUSR1);
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    for (int poll = 0; poll < 1'000'000; ++poll) sheaf::rmi_poll();
    EXPECT_EQ(caught.text(), "");
  });
}

}  // namespace
