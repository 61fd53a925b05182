// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/stderr_pipe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace {

/// Standard error of this process, as a pipe that nobody reads, until the end.
class unread_stderr {
 public:
  unread_stderr() : before_(dup(STDERR_FILENO)) {
    static_cast<void>(!pipe(ends_.data()));
    dup2(ends_[1], STDERR_FILENO);
  }
  unread_stderr(unread_stderr const&) = delete;
  unread_stderr& operator=(unread_stderr const&) = delete;
  ~unread_stderr() {
    dup2(before_, STDERR_FILENO);
    for (int const each : {ends_[0], ends_[1], before_}) close(each);
  }

  /// As much as it takes.
  void fill() {
    fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    std::array<char, 4096> block{};
    while (write(ends_[1], block.data(), block.size()) > 0) {
    }
    while (write(ends_[1], block.data(), 1) > 0) {
    }
    fcntl(ends_[1], F_SETFL, 0);
  }

  [[nodiscard]] std::string text() const {
    std::array<char, 100> block{};
    ssize_t const got = read(ends_[0], block.data(), block.size());
    return {block.data(), static_cast<std::size_t>(std::max<ssize_t>(0, got))};
  }

 private:
  int const before_;
  std::array<int, 2> ends_{};
};

TEST(stderr_pipe, a_line_goes_into_it_whole) {
  unread_stderr stream;
  sheaf::detail::write_line("one line");
  EXPECT_EQ(stream.text(), "one line\n");
}

TEST(stderr_pipe, one_that_is_full_holds_nobody_up) {
  unread_stderr stream;
  stream.fill();
  sheaf::detail::write_line("dropped");
  sheaf::detail::write_last_line("dropped, too");
  EXPECT_FALSE(fcntl(STDERR_FILENO, F_GETFL) & O_NONBLOCK) << "a property that other processes share";
}

}  // namespace
