// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A job over MPI in which the process of the last location is lost, or seems to be. `test_lost HOW`:
/// SIGKILL, SIGSTOP: a signal comes to it while all wait for it; compute: it computes for twice the heartbeats' limit
/// and more, and all is well; wait: all wait for somebody from outside to do something to them, after the line "ready";
/// forks: its process starts others, in the job and after it, which call exit;
/// stuck, stopped_at_end: its thread, which is not the first of its process, does not return from a destructor of a
/// thread_local object, when the job is over; or the process is stopped there.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "sheaf/sheaf.hpp"

namespace {

using std::chrono::steady_clock;

/// Without a call of Sheaf or of the system that would let go of the core.
void compute_for(std::chrono::seconds time) {
  auto const until = steady_clock::now() + time;
  while (steady_clock::now() < until) {
  }
}

struct last_words {
  std::string_view how;
  ~last_words() {
    if (how == "stopped_at_end") raise(SIGSTOP);
    while (how == "stuck") pause();
  }
};

thread_local last_words at_end;

void be_lost(std::string_view how, std::chrono::seconds limit) {
  if (how == "SIGKILL") raise(SIGKILL);
  if (how == "SIGSTOP") raise(SIGSTOP);
  at_end.how = how;
  if (how == "compute") compute_for(2 * limit + std::chrono::seconds(1));
}

/// What libsheaf and MPI do at the end of a process is not for a child of it.
void see_a_child_exit(char const* when) {
  pid_t const child = fork();
  if (child == 0) std::exit(3);
  int status = 0;
  bool const left = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3;
  std::printf("a child left %s %s\n", left ? "well" : "badly", when), std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view const how = argc > 1 ? argv[1] : "";
  char const* const limit = std::getenv("SHEAF_HEARTBEAT_LIMIT_S");
  std::chrono::seconds const seconds(limit == nullptr ? 0 : std::atoi(limit));
  bool forked = false;
  int const code = sheaf::run([how, seconds, &forked](sheaf::team world) {
    sheaf::barrier(world);
    bool const last = world.rank() + 1 == world.size();
    if (last) be_lost(how, seconds);
    forked = last && how == "forks";
    if (forked) see_a_child_exit("in the job");
    if (world.rank() == 0 && how == "wait") std::puts("ready"), std::fflush(stdout);
    while (how == "wait") {
      sheaf::barrier(world);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    sheaf::barrier(world);
    if (last) std::puts("all is well");
  });
  if (forked) see_a_child_exit("after it");
  return code;
}
