// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/report_signal.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/stderr_pipe.hpp"
#include "base/time_limit.hpp"

namespace sheaf::detail {
namespace {

using action = struct sigaction;

constexpr auto patience = std::chrono::milliseconds(250);
constexpr auto between_looks = std::chrono::milliseconds(5);

/// What belongs to the process.
struct reporter {
  std::mutex turns;  // of those that come and go: for what stands up to `thread`
  unsigned users = 0;
  int signal = 0;  // whose action is ours; 0: none
  action before{};
  std::atomic<bool> ends{false};
  std::thread thread;
  std::mutex lock;  // for what stands below
  std::vector<location*> noted;
};

reporter& the_reporter() {
  static reporter& all = *new reporter;  // not destroyed: its thread runs where a program calls exit() in a job
  return all;
}

/// Stays open: a handler may be about to ring when a job ends. A forked child has all this, too, but no thread.
std::atomic<int> bell{-1};
std::atomic<pid_t> owner{0};

void ring() {
  std::uint64_t const once = 1;
  static_cast<void>(!write(bell, &once, sizeof once));
}

bool hear() {
  std::uint64_t times = 0;
  return read(bell, &times, sizeof times) == sizeof times;
}

void on_signal(int) {
  int const kept = errno;
  if (getpid() == owner) ring();
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

/// Asks all that are noted. What is to be said of those that do not answer in time.
std::string ask_all(reporter& r) {
  std::lock_guard const guard(r.lock);  // so none of them goes meanwhile
  for (location* const each : r.noted) each->watch().ask();
  auto const until = std::chrono::steady_clock::now() + patience;
  auto const silent = [](location* each) { return each->watch().is_asked(); };
  while (std::any_of(r.noted.begin(), r.noted.end(), silent) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(between_looks);
    for (location* const each : r.noted) each->connection().wake();  // it may have missed the first
  }
  std::string text;
  for (location* const each : r.noted) {
    if (each->watch().was_asked()) text += computing_text(*each);
  }
  return text;
}

void serve(reporter& r) {
  for (pollfd rung{bell, POLLIN, 0}; !r.ends;) {
    if (poll(&rung, 1, -1) == 1 && hear() && !r.ends) patient_stderr().write(ask_all(r), 1000);
  }
}

/// A thread that takes no signals itself. Without one there is no report.
bool start_thread(reporter& r) {
  if (owner.exchange(getpid()) != getpid()) bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bell < 0) return false;
  static_cast<void>(hear());  // what came after the last job
  r.ends = false;
  no_signals const while_it_starts;
  try {
    r.thread = std::thread([&r] { serve(r); });
  } catch (std::system_error const&) {
  }
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
  std::lock_guard const guard(r.turns);
  if (std::exchange(armed_, true)) return;
  if (r.users++ == 0) start(r);
}

report_signal::~report_signal() {
  if (!armed_) return;
  reporter& r = the_reporter();
  std::lock_guard const guard(r.turns);
  if (--r.users != 0 || !r.thread.joinable() || owner != getpid()) return;  // a forked child has no such thread
  restore(r);
  r.ends = true;
  ring();
  r.thread.join();
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
