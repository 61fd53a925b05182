// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/command.hpp"
#include "sheaf/launch_plan.hpp"

namespace sheaf::tool {

/// `sheaf run -n N [-t T] [--hosts …] PROGRAM …`: starts a job through the MPI library's own launcher, or as one
/// process.
class run_command final : public command {
 public:
  explicit run_command(CLI::App& app);

  /// The exit status of the job; 2, 126 or 127 with a message where it could not be started.
  int run() override;

 private:
  launch_plan plan();

  launch_request request_;
  std::string hosts_;
  std::vector<std::string> settings_;
  std::optional<std::uint64_t> seed_;
  bool dry_run_ = false;
};

/// "NAME=VALUE" as a variable and its value; NAME may lack the SHEAF_ and be in small letters. Throws command_error
/// where there is no such setting, or the value is not legal.
std::pair<std::string, std::string> parse_setting(std::string const& text);

}  // namespace sheaf::tool
