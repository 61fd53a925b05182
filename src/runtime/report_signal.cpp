// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/report_signal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/time_limit.hpp"

namespace sheaf::detail {
namespace {

using action = struct sigaction;

constexpr auto patience = std::chrono::milliseconds(250);
constexpr auto between_looks = std::chrono::milliseconds(5);

/// What belongs to the process.
struct reporter {
  std::mutex lock;
  unsigned users = 0;
  int signal = 0;  // whose action is ours; 0: none
  action before{};
  std::vector<location*> noted;
  int pipe[2] = {-1, -1};
  std::thread thread;
};

reporter& the_reporter() {
  static reporter& all = *new reporter;  // not destroyed: its thread runs where a program calls exit() in a job
  return all;
}

std::atomic<int> write_end{-1};

void on_signal(int) {
  int const kept = errno;
  int const to = write_end.load(std::memory_order_relaxed);
  if (to >= 0) static_cast<void>(!write(to, "r", 1));
  errno = kept;
}

std::string computing_text(location& here) {
  handler_entry const* const last = here.in().last_handler();
  return "sheaf: asked by a signal:\n  location " + std::to_string(number(here.id())) +
         " computes: it has neither waited nor polled since; " +
         (last == nullptr ? "no remotely invoked method has begun there"
                          : "the remotely invoked method that began there last is " + readable(last->name)) +
         "\n";
}

/// Asks all that are noted; those that do not answer in time are told of.
void report_all(reporter& r) {
  std::lock_guard const guard(r.lock);  // so none of them goes meanwhile
  for (location* const each : r.noted) each->watch().ask();
  auto const until = std::chrono::steady_clock::now() + patience;
  auto const silent = [](location* each) { return each->watch().is_asked(); };
  while (std::any_of(r.noted.begin(), r.noted.end(), silent) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(between_looks);
    for (location* const each : r.noted) each->connection().wake();  // it may have missed the first
  }
  for (location* const each : r.noted) {
    if (each->watch().was_asked()) std::fputs(computing_text(*each).c_str(), stderr);
  }
}

void serve(reporter& r, int from) {
  char what = 0;
  while (true) {
    ssize_t const got = read(from, &what, 1);
    if (got == 1 && what == 'r') report_all(r);
    if (got == 0 || (got == 1 && what == 'q') || (got < 0 && errno != EINTR)) return;
  }
}

/// A thread that takes no signals itself. Without one there is no report.
bool start_thread(reporter& r) {
  if (pipe2(r.pipe, O_CLOEXEC) != 0) return false;
  no_signals const while_it_starts;
  try {
    r.thread = std::thread([&r, from = r.pipe[0]] { serve(r, from); });
  } catch (std::system_error const&) {
    close(r.pipe[0]);
    close(r.pipe[1]);
  }
  if (r.thread.joinable()) write_end = r.pipe[1];
  return r.thread.joinable();
}

action action_of(int signal) {
  action now{};
  sigaction(signal, nullptr, &now);
  return now;
}

bool is_free(int signal) {
  action const now = action_of(signal);
  return (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

void start(reporter& r) {
  int const chosen = is_free(SIGUSR1) ? SIGUSR1 : SIGUSR2;
  if (!is_free(chosen) || !start_thread(r)) return;
  r.before = action_of(chosen);
  action own{};
  own.sa_handler = &on_signal;
  own.sa_flags = SA_RESTART;
  sigemptyset(&own.sa_mask);
  if (sigaction(chosen, &own, nullptr) == 0) r.signal = chosen;
}

/// The program may have set an action of its own meanwhile, which stays.
void restore(reporter& r) {
  if (r.signal != 0 && action_of(r.signal).sa_handler == &on_signal) sigaction(r.signal, &r.before, nullptr);
  r.signal = 0;
}

}  // namespace

void report_signal::arm() {
  if (!wanted_) return;
  reporter& r = the_reporter();
  std::lock_guard const guard(r.lock);
  if (std::exchange(armed_, true)) return;
  if (r.users++ == 0) start(r);
}

report_signal::~report_signal() {
  if (!armed_) return;
  reporter& r = the_reporter();
  std::thread last;
  int pipe[2];
  {
    std::lock_guard const guard(r.lock);
    if (--r.users != 0 || !r.thread.joinable()) return;
    restore(r);
    write_end = -1;
    static_cast<void>(!write(r.pipe[1], "q", 1));
    last.swap(r.thread);
    std::copy(std::begin(r.pipe), std::end(r.pipe), pipe);
  }
  last.join();
  close(pipe[0]);
  close(pipe[1]);
}

void report_signal::note(location& here) {
  if (!wanted_) return;
  reporter& r = the_reporter();
  std::lock_guard const guard(r.lock);
  r.noted.push_back(&here);
}

void report_signal::forget(location& here) {
  if (!wanted_) return;
  reporter& r = the_reporter();
  std::lock_guard const guard(r.lock);
  std::erase(r.noted, &here);
}

}  // namespace sheaf::detail
