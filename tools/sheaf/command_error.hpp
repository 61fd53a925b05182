// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "sheaf/base/error.hpp"

namespace sheaf::tool {

/// A command cannot do what it is asked for: by its command line, or since a file cannot be read or written, or input
/// does not fit into memory. The text has the values, what is legal and the remedy.
class command_error : public error {
 public:
  explicit command_error(std::string const& text, int code = 2) : error(text), code_(code) {}

  /// What the command exits with: 2; as in a shell, 127 for a program that is not there, 126 for one that cannot run.
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

/// "cannot read NAME: No such file or directory"; `number` is an errno.
[[noreturn]] inline void throw_file_error(std::string_view action, std::string_view name, int number) {
  throw command_error("cannot " + std::string(action) + " " + std::string(name) + ": " + std::strerror(number));
}

}  // namespace sheaf::tool
