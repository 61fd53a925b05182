// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/command.hpp"

namespace sheaf::tool {

/// `sheaf bench`: what Sheaf does on this machine beside what the machine itself does, in the same run.
class bench_command final : public command {
 public:
  explicit bench_command(CLI::App& app);

  /// 0; 2 with a message where a result was wrong or the job could not run.
  int run() override;

 private:
  bool json_ = false;
};

}  // namespace sheaf::tool
