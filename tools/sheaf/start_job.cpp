// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/start_job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "sheaf/command_error.hpp"
#include "sheaf/job_processes.hpp"
#include "sheaf/output_stream.hpp"

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

/// Signals as something to read, while they do nothing else.
class signal_inbox {
 public:
  signal_inbox() {
    sigset_t set;
    sigemptyset(&set);
    for (int const each : {SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) sigaddset(&set, each);
    struct sigaction hang_up {};
    ::sigaction(SIGHUP, nullptr, &hang_up);
    if (hang_up.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);  // nohup is believed
    ::sigprocmask(SIG_BLOCK, &set, &before_);
    file_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (file_ < 0) refuse("cannot watch for signals");
  }
  signal_inbox(signal_inbox const&) = delete;
  signal_inbox& operator=(signal_inbox const&) = delete;
  ~signal_inbox() {
    ::close(file_);
    restore();
  }

  int file() const noexcept { return file_; }
  void restore() const noexcept { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  bool next(signalfd_siginfo& what) const noexcept { return ::read(file_, &what, sizeof what) == sizeof what; }

 private:
  sigset_t before_{};
  int file_ = -1;
};

/// Whether a person at a terminal started us, and types to us.
bool in_foreground() { return ::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

/// A launcher while it runs.
class launched {
 public:
  launched(launch_plan const& plan, bool label) : kind_(plan.kind), foreground_(in_foreground()) {
    if (label) {
      outputs_[0] = std::make_unique<output_stream>(plan, STDOUT_FILENO);
      outputs_[1] = std::make_unique<output_stream>(plan, STDERR_FILENO);
    }
    pid_t const self = ::getpid();
    child_ = ::fork();
    if (child_ < 0) refuse("cannot start a process");
    if (child_ == 0) become_child(plan, self);
    for (auto& each : outputs_) {
      if (each) each->close_writer();
    }
  }

  int wait() {
    while (!ended_) {
      std::array<pollfd, 3> all{{{reader(0), POLLIN, 0}, {reader(1), POLLIN, 0}, {signals_.file(), POLLIN, 0}}};
      if (::poll(all.data(), all.size(), -1) < 0) continue;
      for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (all[i].revents != 0) outputs_[i]->pass_on();
      }
      if (all[2].revents != 0) take_signals();
    }
    for (auto& each : outputs_) {
      if (each) each->finish();
    }
    int const code = WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
    return code == 0 ? check_outputs() : code;
  }

 private:
  using clock = std::chrono::steady_clock;

  int check_outputs() const {
    for (auto const& each : outputs_) {
      if (!each || each->error() == 0) continue;
      std::fprintf(stderr, "sheaf run: cannot pass on what the job writes: %s\n", std::strerror(each->error()));
      return 2;
    }
    return 0;
  }

  /// In a group of its own it hears of signals from us alone; at a terminal it stays in ours, to read from it.
  [[noreturn]] void become_child(launch_plan const& plan, pid_t parent) {
    for (auto& each : outputs_) {
      if (each) each->become_writer();
    }
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

  int reader(std::size_t i) const noexcept { return outputs_[i] ? outputs_[i]->reader() : -1; }

  void take_signals() {
    for (signalfd_siginfo what; signals_.next(what);) {
      bool const went_to_both = foreground_ && what.ssi_code > 0;
      if (what.ssi_signo == SIGCHLD) {
        ended_ = ended_ || ::waitpid(child_, &status_, WNOHANG) == child_;
      } else if (!went_to_both) {
        pass_on(static_cast<int>(what.ssi_signo));
      }
    }
  }

  /// Some, such as `timeout`, send a signal to a process and to its group, to which it belongs.
  void pass_on(int signal) {
    auto const now = clock::now();
    bool const again = signal == last_signal_ && now - last_time_ < std::chrono::milliseconds(500);
    last_signal_ = signal;
    last_time_ = now;
    if (again || ended_) return;
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
  std::array<std::unique_ptr<output_stream>, 2> outputs_;
  pid_t child_ = -1;
  bool ended_ = false;
  int status_ = 0;
  int last_signal_ = 0;
  clock::time_point last_time_;
};

}  // namespace

int start_job(launch_plan const& plan, bool label) {
  if (plan.kind == launcher_kind::none) become(plan);
  return launched(plan, label).wait();
}

}  // namespace sheaf::tool
