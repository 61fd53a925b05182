// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <string>
#include <string_view>

namespace sheaf::detail {

/// Waits, for a second at most, until the launcher has read what was written to stderr, where that is a pipe; before
/// the process ends its job: MPICH's launcher, where it finds the text and the end together, takes the end first, kills
/// the job, and leaves the text unread. May be called in a signal handler.
inline void until_stderr_is_read() noexcept {
  struct stat stream {};
  if (fstat(STDERR_FILENO, &stream) != 0 || !S_ISFIFO(stream.st_mode)) return;
  timespec const pause{0, 1'000'000};
  int unread = 0;
  for (int round = 0; round < 1000 && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; ++round)
    nanosleep(&pause, nullptr);
}

/// "unknown" where the system does not tell.
inline std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// "host H, process P", of this one.
inline std::string this_process() { return "host " + host_name() + ", process " + std::to_string(getpid()); }

/// A stderr that no write to it can block: where it is a pipe or a terminal, opened once more. A file never blocks.
class patient_stderr {
 public:
  patient_stderr() noexcept {
    struct stat stream {};
    if (fstat(STDERR_FILENO, &stream) != 0 || !(S_ISFIFO(stream.st_mode) || S_ISCHR(stream.st_mode))) return;
    own_ = ::open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  }
  patient_stderr& operator=(patient_stderr&&) = delete;
  ~patient_stderr() {
    if (own_ >= 0) close(own_);
  }

  /// Waits so long at most for somebody to make room; what finds none then is dropped.
  void write(std::string_view text, int patience_ms) noexcept {
    int const to = own_ >= 0 ? own_ : STDERR_FILENO;
    pollfd room{to, POLLOUT, 0};
    while (!text.empty() && poll(&room, 1, patience_ms) == 1) {
      ssize_t const done = ::write(to, text.data(), text.size());
      if (done <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(done));
    }
  }

 private:
  int own_ = -1;
};

/// Writes a whole line, whose end it adds, to stderr at once; drops it where there is no room for it, as nobody reads.
inline void write_line(std::string text, int patience_ms = 0) {
  text += '\n';
  patient_stderr().write(text, patience_ms);
}

/// One line on stderr before the process ends. Waits for a second at most until there is room, and until it is read.
inline void write_last_line(std::string const& text) {
  write_line(text, 1000);
  until_stderr_is_read();
}

}  // namespace sheaf::detail
