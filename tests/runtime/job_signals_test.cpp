// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What a process says that ends by a signal: each case ends a child process. And what it says when it is asked by one.
#include "runtime/job_signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "harness/caught_stderr.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/run.hpp"
#include "sheaf/sheaf.hpp"

namespace {

using sheaf::team;

bool is_default(int signal) {
  struct sigaction a {};
  sigaction(signal, nullptr, &a);
  return (a.sa_flags & SA_SIGINFO) == 0 && a.sa_handler == SIG_DFL;
}

sheaf::options job_of(sheaf::transport_kind transport, unsigned locations = 3) {
  sheaf::options o;
  o.transport = transport;
  o.locations = locations;
  return o;
}

/// Location 1 of three sends itself the signal.
void end_by(int signal, sheaf::options const& o) {
  sheaf::run(o, [signal](team const& world) {
    barrier(world);
    if (world.rank() == 1) raise(signal);
    barrier(world);
  });
}

class fatal_signals : public testing::Test {
 protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    for (int const s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      if (!is_default(s)) GTEST_SKIP() << "signal " << s << " is taken already, by a sanitizer";
    }
  }
};

TEST_F(fatal_signals, each_names_the_location_and_then_ends_the_process) {
  struct one {
    int number;
    char const* name;
  };
  for (auto const kind : {sheaf::transport_kind::thread, sheaf::transport_kind::sim}) {
    for (auto const& [number, name] :
         {one{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}}) {
      EXPECT_EXIT(end_by(number, job_of(kind)), testing::KilledBySignal(number),
                  std::string("^sheaf: location 1 \\(host [^ ,]+, process [0-9]+\\) ended by ") + name + "\n$");
    }
  }
}

TEST_F(fatal_signals, a_fault_of_an_instruction_is_named_and_ends_the_process) {
  auto const fault = [] {
    sheaf::run(job_of(sheaf::transport_kind::thread), [](team const& world) {
      if (world.rank() == 2) *static_cast<int volatile*>(nullptr) = 1;
      barrier(world);
    });
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGSEGV), "^sheaf: location 2 .* ended by SIGSEGV\n$");
}

/// So deep that the stack of the simulated location ends.
int deeper(int volatile* last) {
  int volatile here[32];  // less than a page, so that the page behind the stack is hit
  here[0] = last == nullptr ? 0 : *last + 1;
  return here[0] < 100'000'000 ? deeper(here) + here[0] : 0;
}

TEST_F(fatal_signals, an_overflow_of_a_stack_is_named) {
  for (auto const kind : {sheaf::transport_kind::sim, sheaf::transport_kind::thread}) {
    auto const overflow = [kind] {
      sheaf::run(job_of(kind), [](team const& world) {
        barrier(world);
        if (world.rank() == 1) std::printf("%d\n", deeper(nullptr));
        barrier(world);
      });
    };
    EXPECT_EXIT(overflow(), testing::KilledBySignal(SIGSEGV), "^sheaf: location 1 .* ended by SIGSEGV\n$");
  }
}

TEST_F(fatal_signals, a_thread_of_the_program_is_no_location) {
  auto const elsewhere = [] {
    sheaf::run(job_of(sheaf::transport_kind::thread, 1), [] {
      pthread_t other{};
      pthread_create(
          &other, nullptr, [](void*) -> void* { std::abort(); }, nullptr);
      pthread_join(other, nullptr);
    });
  };
  EXPECT_EXIT(elsewhere(), testing::KilledBySignal(SIGABRT), "^sheaf: a thread of no location .host .* by SIGABRT\n$");
}

TEST_F(fatal_signals, nothing_is_said_when_the_option_is_off) {
  sheaf::options o = job_of(sheaf::transport_kind::thread);
  o.report_signals = false;
  EXPECT_EXIT(end_by(SIGSEGV, o), testing::KilledBySignal(SIGSEGV), "^$");
}

TEST_F(fatal_signals, an_action_of_the_program_stays) {
  auto const own = [] {
    signal(SIGSEGV, [](int) { _exit(7); });
    end_by(SIGSEGV, job_of(sheaf::transport_kind::thread));
  };
  EXPECT_EXIT(own(), testing::ExitedWithCode(7), "^$");
}

TEST_F(fatal_signals, an_action_set_while_the_job_runs_stays_behind_it) {
  auto const own = [] {
    sheaf::run(job_of(sheaf::transport_kind::thread, 1), [] { signal(SIGSEGV, [](int) { _exit(7); }); });
    raise(SIGSEGV);
  };
  EXPECT_EXIT(own(), testing::ExitedWithCode(7), "^$");
}

/// As an MPI library does that starts within the job.
TEST_F(fatal_signals, an_action_set_before_the_handlers_runs_after_the_line) {
  auto const both = [] {
    sheaf::detail::job_signals watch(true, false);
    signal(SIGSEGV, [](int) { _exit(8); });
    watch.arm();
    raise(SIGSEGV);
  };
  EXPECT_EXIT(both(), testing::ExitedWithCode(8), "^sheaf: a thread of no location .* ended by SIGSEGV\n$");
  auto const next_job = [] {
    {
      sheaf::detail::job_signals watch(true, false);
      signal(SIGSEGV, [](int) { _exit(8); });
      watch.arm();
    }
    sheaf::detail::job_signals again(true, false);  // that action is not the program's
    again.arm();
    raise(SIGSEGV);
  };
  EXPECT_EXIT(next_job(), testing::ExitedWithCode(8), "^sheaf: a thread of no location .* ended by SIGSEGV\n$");
}

TEST_F(fatal_signals, are_left_as_they_were_when_the_job_ends) {
  for (auto const kind : {sheaf::transport_kind::thread, sheaf::transport_kind::sim}) {
    sheaf::run(job_of(kind), [] { EXPECT_FALSE(is_default(SIGSEGV)); });
    for (int const s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) EXPECT_TRUE(is_default(s)) << s;
    stack_t stack{};
    sigaltstack(nullptr, &stack);
    EXPECT_NE(stack.ss_flags & SS_DISABLE, 0);
  }
}

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
    for (int poll = 0; poll < 1'000'000; ++poll) sheaf::poll();
    EXPECT_EQ(caught.text(), "");
  });
}

}  // namespace
