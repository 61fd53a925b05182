// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf::tool {

/// One line on a terminal's stderr that follows one location's share of the work, which all locations do at about the
/// same pace. Prints nothing where stderr is no terminal, and nothing on other locations than the first.
class progress {
 public:
  progress(bool shown, std::uint64_t bytes_each) : shown_(shown), total_(bytes_each == 0 ? 1 : bytes_each) {}
  ~progress();

  /// Names the phase and starts its count anew.
  void phase(char const* name);
  void add(std::uint64_t bytes) {
    done_ += bytes;
    if (shown_ && done_ >= next_) show();
  }

  static bool on_terminal();

 private:
  void show();

  bool shown_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::uint64_t next_ = 0;
  char const* name_ = "";
};

}  // namespace sheaf::tool
