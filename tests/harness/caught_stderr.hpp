// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace sheaf_test {

/// Standard error of this process, into a file until the end.
class caught_stderr {
 public:
  caught_stderr() : name_("/tmp/sheaf_signal_test." + std::to_string(getpid())), before_(dup(2)) {
    int const file = open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, 2);  // freopen would leave the stream with a buffer for all tests to come
    close(file);
  }
  ~caught_stderr() {
    dup2(before_, 2);
    close(before_);
    std::remove(name_.c_str());
  }
  caught_stderr(caught_stderr const&) = delete;
  caught_stderr& operator=(caught_stderr const&) = delete;
  [[nodiscard]] std::string text() const {
    std::ostringstream all;
    all << std::ifstream(name_).rdbuf();
    return all.str();
  }

 private:
  std::string const name_;
  int const before_;
};

}  // namespace sheaf_test
