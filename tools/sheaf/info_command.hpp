// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/command.hpp"

namespace sheaf::tool {

/// `sheaf info`: the build, the MPI libraries, the machine, its limits, and every setting with its origin.
class info_command final : public command {
 public:
  explicit info_command(CLI::App& app);

  /// 0; 2 with a message where a setting is wrong.
  int run() override;

 private:
  std::string transport_ = "auto";
  unsigned locations_ = 0;
  bool json_ = false;
};

}  // namespace sheaf::tool
