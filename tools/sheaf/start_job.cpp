// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/start_job.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sheaf/command_error.hpp"
#include "sheaf/job_processes.hpp"

namespace sheaf::tool {
namespace {

[[noreturn]] void refuse(std::string const& what) { throw command_error(what + ": " + std::strerror(errno), 126); }

[[noreturn]] void become(launch_plan const& plan) {
  for (auto const& [name, value] : plan.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (std::string const& each : plan.command) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  refuse("cannot start " + plan.command[0]);
}

/// Signals that come here while they do nothing else.
class signal_inbox {
 public:
  signal_inbox() {
    sigemptyset(&set_);
    for (int const each : {SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) sigaddset(&set_, each);
    struct sigaction hang_up {};
    ::sigaction(SIGHUP, nullptr, &hang_up);
    if (hang_up.sa_handler != SIG_IGN) sigaddset(&set_, SIGHUP);  // nohup is believed
    ::sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  signal_inbox& operator=(signal_inbox&&) = delete;
  ~signal_inbox() { restore(); }

  void restore() const noexcept { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  /// Waits for the next one. False: it was something else.
  bool next(siginfo_t& what) const noexcept { return ::sigwaitinfo(&set_, &what) > 0; }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

/// Whether a person at a terminal started us, and types to us.
bool in_foreground() { return ::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

/// A launcher while it runs.
class launched {
 public:
  explicit launched(launch_plan const& plan) : kind_(plan.kind), foreground_(in_foreground()) {
    pid_t const self = ::getpid();
    child_ = ::fork();
    if (child_ < 0) refuse("cannot start a process");
    if (child_ == 0) become_child(plan, self);
  }

  int wait() {
    for (siginfo_t what; !ended_;) {
      if (signals_.next(what)) take(what);
    }
    return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
  }

 private:
  using clock = std::chrono::steady_clock;

  /// In a group of its own it hears of signals from us alone; at a terminal it stays in ours, to read from it.
  [[noreturn]] void become_child(launch_plan const& plan, pid_t parent) {
    if (!foreground_) {
      ::setpgid(0, 0);
      int const nothing = ::isatty(STDIN_FILENO) == 1 ? ::open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
      if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) std::_Exit(1);
    signals_.restore();
    try {
      become(plan);
    } catch (command_error const& failure) {
      std::string const text = std::string("sheaf run: ") + failure.what() + "\n";
      if (::write(STDERR_FILENO, text.data(), text.size()) < 0) std::_Exit(1);
    }
    std::_Exit(126);
  }

  void take(siginfo_t const& what) {
    bool const went_to_both = foreground_ && what.si_code > 0;
    if (what.si_signo == SIGCHLD) {
      ended_ = ::waitpid(child_, &status_, WNOHANG) == child_;
    } else if (!went_to_both) {
      pass_on(what.si_signo);
    }
  }

  /// Some, such as `timeout`, send a signal to a process and to its group, to which it belongs.
  void pass_on(int signal) {
    auto const now = clock::now();
    bool const again = signal == last_signal_ && now - last_time_ < std::chrono::milliseconds(500);
    last_signal_ = signal;
    last_time_ = now;
    if (again) return;
    bool const asks = signal == SIGUSR1 || signal == SIGUSR2;
    if (kind_ == launcher_kind::mpich && asks) return ask_processes();
    ::kill(child_, signal);
  }

  /// MPICH's launcher ends at SIGUSR2, and keeps SIGUSR1, which its library uses.
  void ask_processes() const {
    if (signal_those_that_catch(SIGUSR2, child_, "PMI_RANK") != 0) return;
    std::string const text =
        "sheaf run: no process of the job on this host answers a signal now; on other hosts, kill -USR2 PID there\n";
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nobody listens
  }

  launcher_kind const kind_;
  bool const foreground_;
  signal_inbox signals_;
  pid_t child_ = -1;
  bool ended_ = false;
  int status_ = 0;
  int last_signal_ = 0;
  clock::time_point last_time_;
};

}  // namespace

int start_job(launch_plan const& plan) {
  if (plan.kind == launcher_kind::none) become(plan);
  return launched(plan).wait();
}

}  // namespace sheaf::tool
