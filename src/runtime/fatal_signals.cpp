// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/fatal_signals.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/stderr_pipe.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {
namespace {

using action = struct sigaction;

struct watched_signal {
  int number;
  char const* name;
  bool free = false;   ///< the program has not taken it
  bool armed = false;  ///< our handler is set
  action before{};     ///< what it stands in front of
};

/// Of the process. The handler reads what was written before it was set.
struct process_signals {
  std::mutex lock;
  unsigned users = 0;
  bool armed = false;
  std::array<watched_signal, 5> all{
      {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}}};
  char host[256] = {};
};
constinit process_signals signals;

/// Text put together without anything that a signal handler may not call.
class line {
 public:
  void add(std::string_view text) {
    std::size_t const bytes = std::min(text.size(), static_cast<std::size_t>(std::end(text_) - end_));
    std::memcpy(end_, text.data(), bytes);
    end_ += bytes;
  }
  void add(std::uint64_t value) {
    char digits[20];
    add(std::string_view(digits,
                         static_cast<std::size_t>(std::to_chars(digits, std::end(digits), value).ptr - digits)));
  }
  void write_to(int file) const { static_cast<void>(!::write(file, text_, static_cast<std::size_t>(end_ - text_))); }

 private:
  char text_[512];
  char* end_ = text_;
};

void tell(int number, siginfo_t* info, void*) {
  int const kept_errno = errno;
  auto const* const it = std::find_if(signals.all.begin(), signals.all.end(),
                                      [&](watched_signal const& each) { return each.number == number; });
  line text;
  text.add("sheaf: ");
  if (ambient_location != nullptr) {
    text.add("location ");
    text.add(sheaf::number(ambient_location->id()));
  } else {
    text.add("a thread of no location");
  }
  text.add(" (host ");
  text.add(signals.host);
  text.add(", process ");
  text.add(static_cast<std::uint64_t>(getpid()));
  text.add(") ended by ");
  text.add(it->name);
  text.add("\n");
  text.write_to(STDERR_FILENO);
  until_stderr_is_read();
  sigaction(number, &it->before, nullptr);
  // An instruction that failed fails again on return, and the action before sees the same address; what was sent is
  // sent again.
  if (info->si_code <= 0) raise(number);
  errno = kept_errno;
}

bool is_default(action const& a) { return (a.sa_flags & SA_SIGINFO) == 0 && a.sa_handler == SIG_DFL; }

action current(int number) {
  action a{};
  sigaction(number, nullptr, &a);
  return a;
}

void set_handlers() {
  action ours{};
  ours.sa_sigaction = &tell;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  host_name().copy(signals.host, sizeof signals.host - 1);
  for (watched_signal& each : signals.all) {
    if (!each.free) continue;
    each.before = current(each.number);
    each.armed = sigaction(each.number, &ours, nullptr) == 0;
  }
}

}  // namespace

fatal_signals::fatal_signals(bool wanted) : wanted_(wanted) {
  if (!wanted_) return;
  std::lock_guard const guard(signals.lock);
  if (signals.users++ != 0) return;
  for (watched_signal& each : signals.all) {
    action const now = current(each.number);
    // What an MPI library has set in an earlier job is still there, and is no action of the program.
    each.free = is_default(now) || (each.free && now.sa_handler == each.before.sa_handler);
  }
}

fatal_signals::~fatal_signals() {
  if (!wanted_) return;
  std::lock_guard const guard(signals.lock);
  if (--signals.users != 0) return;
  signals.armed = false;
  for (watched_signal& each : signals.all) {
    if (each.armed && current(each.number).sa_sigaction == &tell) sigaction(each.number, &each.before, nullptr);
    each.armed = false;
  }
}

void fatal_signals::arm() {
  if (!wanted_) return;
  std::lock_guard const guard(signals.lock);
  if (!std::exchange(signals.armed, true)) set_handlers();
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
