// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

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

}  // namespace sheaf::detail
