// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <CLI/CLI.hpp>

namespace sheaf::tool {

/// One sub-command of `sheaf`: its constructor declares its options, `run` does it.
class command {
 public:
  virtual ~command() = default;
  command(command const&) = delete;
  command& operator=(command const&) = delete;

  /// Whether the command line names it.
  [[nodiscard]] bool chosen() const { return options_->parsed(); }

  /// The exit code. Complaints go to stderr.
  virtual int run() = 0;

 protected:
  /// `options` is the sub-command as CLI11 knows it.
  explicit command(CLI::App* options) : options_(options) {}

  CLI::App* options_;
};

}  // namespace sheaf::tool
