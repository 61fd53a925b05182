// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/job_signals.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/stderr_pipe.hpp"
#include "base/time_limit.hpp"
#include "sheaf/base/ambient.hpp"

namespace sheaf::detail {
namespace {

constinit std::mutex turns;  // of jobs that begin, arm and end; for all that stands up to reporter::lock

using action = struct sigaction;

action action_of(int signal) {
  action now{};
  sigaction(signal, nullptr, &now);
  return now;
}

bool is_default(action const& a) { return (a.sa_flags & SA_SIGINFO) == 0 && a.sa_handler == SIG_DFL; }

struct watched_signal {
  int number;
  char const* name;
  bool free = false;   ///< the program has not taken it
  bool armed = false;  ///< our handler is set
  action before{};     ///< what it stands in front of
};

/// Of the process. The handler reads what was written before it was set.
struct deadly_signals {
  unsigned users = 0;
  bool armed = false;
  pid_t process = 0;  ///< that tells of its exit; 0: none yet
  std::array<watched_signal, 5> all{
      {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}}};
  char host[256] = {};
};
constinit deadly_signals deadly;

/// Calls nothing that a signal handler may not call.
void tell_death(int number, siginfo_t* info, void*) {
  int const kept_errno = errno;
  auto const* const it = std::ranges::find(deadly.all, number, &watched_signal::number);
  char text[512];
  char* end = stpcpy(text, "sheaf: ");
  auto const add = [&](std::uint64_t value) { *(end = std::to_chars(end, end + 20, value).ptr) = '\0'; };
  if (ambient_location != nullptr) {
    end = stpcpy(end, "location ");
    add(sheaf::number(ambient_location->id()));
  } else {
    end = stpcpy(end, "a thread of no location");
  }
  end = stpcpy(stpcpy(stpcpy(end, " (host "), deadly.host), ", process ");
  add(static_cast<std::uint64_t>(getpid()));
  end = stpcpy(stpcpy(stpcpy(end, ") ended by "), it->name), "\n");
  static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(end - text)));
  until_stderr_is_read();
  sigaction(number, &it->before, nullptr);
  // An instruction that failed does so again on return, for the action before; what was sent is sent again.
  if (info->si_code <= 0) raise(number);
  errno = kept_errno;
}

/// A program that calls exit() in a job. A forked child may.
void tell_exit() {
  if (deadly.users == 0 || getpid() != deadly.process) return;
  std::string const who = ambient_location == nullptr ? "a thread of no location" : name_of(ambient_location->id());
  write_last_line(
      "sheaf: " + who + " (" + this_process() +
      ") calls exit() before its job has ended, which ends all locations of the process; let the function "
      "given to sheaf::run return or throw, or call sheaf::job::end() first (in C, the end of the interface, such "
      "as dmcs_shutdown)");
}

constexpr auto patience = std::chrono::milliseconds(250);
constexpr auto between_looks = std::chrono::milliseconds(5);

struct reporter {
  unsigned users = 0;
  int signal = 0;  // whose action is ours; 0: none
  action before{};
  std::atomic<bool> ends{false};
  std::thread thread;
  std::mutex lock;  // for what stands below
  std::vector<location*> noted;
};

reporter& asking = *new reporter;  // not destroyed: its thread runs where a program calls exit() in a job

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
  return "sheaf: asked by a signal:\n  " + name_of(here.id()) + " computes: it has neither waited nor polled since; " +
         (last == nullptr ? "no remotely invoked method has begun there"
                          : "the remotely invoked method that began there last is " + readable(last->name)) +
         "\n";
}

/// Asks all that are noted. What is to be said of those that do not answer in time.
std::string ask_all() {
  std::lock_guard const guard(asking.lock);  // so none of them goes meanwhile
  for (location* const each : asking.noted) each->watch().ask();
  auto const until = std::chrono::steady_clock::now() + patience;
  auto const silent = [](location* each) { return each->watch().is_asked(); };
  while (std::any_of(asking.noted.begin(), asking.noted.end(), silent) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(between_looks);
    for (location* const each : asking.noted) each->connection().wake();  // it may have missed the first
  }
  std::string text;
  for (location* const each : asking.noted) {
    if (each->watch().was_asked()) text += computing_text(*each);
  }
  return text;
}

void serve() {
  for (pollfd rung{bell, POLLIN, 0}; !asking.ends;) {
    if (poll(&rung, 1, -1) == 1 && hear() && !asking.ends) patient_stderr().write(ask_all(), 1000);
  }
}

/// A thread that takes no signals itself. Without one there is no report.
bool start_thread() {
  if (owner.exchange(getpid()) != getpid()) bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bell < 0) return false;
  static_cast<void>(hear());  // what came after the last job
  asking.ends = false;
  no_signals const while_it_starts;
  try {
    asking.thread = std::thread(serve);
  } catch (std::system_error const&) {
  }
  return asking.thread.joinable();
}

void start_answering() {
  if (asking.users++ != 0) return;
  int const chosen = is_default(action_of(SIGUSR1)) ? SIGUSR1 : SIGUSR2;
  if (!is_default(action_of(chosen)) || !start_thread()) return;
  asking.before = action_of(chosen);
  action own{};
  own.sa_handler = &on_signal;
  own.sa_flags = SA_RESTART;
  sigemptyset(&own.sa_mask);
  if (sigaction(chosen, &own, nullptr) == 0) asking.signal = chosen;
}

void end_answering() {
  bool const is_child = owner != getpid();  // which has no such thread
  if (--asking.users != 0 || !asking.thread.joinable() || is_child) return;
  // An action that the program has set meanwhile stays.
  if (asking.signal != 0 && action_of(asking.signal).sa_handler == &on_signal)
    sigaction(asking.signal, &asking.before, nullptr);
  asking.signal = 0;
  asking.ends = true;
  ring();
  asking.thread.join();
}

}  // namespace

job_signals::job_signals(bool tells_death, bool answers) : tells_death_(tells_death), answers_(answers) {
  std::lock_guard const guard(turns);
  if (!tells_death_ || deadly.users++ != 0) return;
  for (watched_signal& each : deadly.all) {
    action const now = action_of(each.number);
    // What an MPI library has set in an earlier job is still there, and is no action of the program.
    each.free = is_default(now) || (each.free && now.sa_handler == each.before.sa_handler);
  }
}

job_signals::~job_signals() {
  std::lock_guard const guard(turns);
  if (answers_ && armed_) end_answering();
  if (!tells_death_ || --deadly.users != 0) return;
  deadly.armed = false;
  for (watched_signal& each : deadly.all) {
    if (each.armed && action_of(each.number).sa_sigaction == &tell_death) sigaction(each.number, &each.before, nullptr);
    each.armed = false;
  }
}

void job_signals::arm() {
  std::lock_guard const guard(turns);
  if (std::exchange(armed_, true)) return;
  if (answers_) start_answering();
  if (!tells_death_ || std::exchange(deadly.armed, true)) return;
  action ours{};
  ours.sa_sigaction = &tell_death;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  host_name().copy(deadly.host, sizeof deadly.host - 1);
  if (std::exchange(deadly.process, getpid()) == 0) std::atexit(tell_exit);
  for (watched_signal& each : deadly.all) {
    if (!each.free) continue;
    each.before = action_of(each.number);
    each.armed = sigaction(each.number, &ours, nullptr) == 0;
  }
}

void job_signals::note(location& here) {
  if (!answers_) return;
  std::lock_guard const guard(asking.lock);
  asking.noted.push_back(&here);
}

void job_signals::forget(location& here) {
  if (!answers_) return;
  std::lock_guard const guard(asking.lock);
  std::erase(asking.noted, &here);
}

signal_stack::signal_stack(bool wanted) {
  constexpr std::size_t bytes = std::size_t{64} << 10;
  stack_t now{};
  if (!wanted || sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  stack_t own{};
  own.ss_sp = memory_.get();
  own.ss_size = bytes;
  if (sigaltstack(&own, nullptr) != 0) memory_.reset();
}

signal_stack::~signal_stack() {
  if (memory_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

}  // namespace sheaf::detail
