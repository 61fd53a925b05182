// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::tool {

/// A command cannot do what its command line asks for. The text has the values, what is legal and the remedy.
class command_error : public error {
 public:
  explicit command_error(std::string const& text, int code = 2) : error(text), code_(code) {}

  /// What the command exits with: 2; as in a shell, 127 for a program that is not there, 126 for one that cannot run.
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace sheaf::tool
