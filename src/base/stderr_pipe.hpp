// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <string>
#include <utility>

namespace sheaf::detail {

/// Waits, for a second at most, until the launcher has read what was written to stderr, where that is a pipe. To be
/// called before the process ends its job: a launcher that is late finds the text and the end together, and MPICH's
/// then takes the end first, kills the job, and leaves the text unread. May be called in a signal handler.
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
  char name[256] = "unknown";
  if (gethostname(name, sizeof name - 1) != 0) std::strcpy(name, "unknown");
  return name;
}

/// "host H, process P", of this one.
inline std::string this_process() { return "host " + host_name() + ", process " + std::to_string(getpid()); }

/// One line on stderr, written at once so that lines of several processes do not mix. Adds the end of the line.
inline void write_line(std::string text) {
  text += '\n';
  static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

/// The same where the process ends afterwards.
inline void write_last_line(std::string text) {
  write_line(std::move(text));
  until_stderr_is_read();
}

}  // namespace sheaf::detail
