// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "sheaf/base/error.hpp"

namespace sheaf::tool {

/// A file could not be opened, read or written, or the input does not fit into memory. The command exits with 2.
class text_error : public error {
 public:
  using error::error;
};

/// "cannot read NAME: No such file or directory"; `number` is an errno.
[[noreturn]] inline void throw_file_error(std::string_view action, std::string_view name, int number) {
  throw text_error("cannot " + std::string(action) + " " + std::string(name) + ": " + std::strerror(number));
}

}  // namespace sheaf::tool
