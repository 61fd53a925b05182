// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <vector>

#include "sheaf/command.hpp"
#include "sheaf/line_order.hpp"

namespace sheaf::tool {

/// `sheaf sort [-n] [-r] [-u] [-o OUT] FILES…`: orders lines exactly as `LC_ALL=C sort` does with the same options.
class sort_command final : public command {
 public:
  explicit sort_command(CLI::App& app);

  /// Runs as a job over all locations. Exit code: 0, or 2 with a message on stderr.
  int run() override;

 private:
  line_order order_;
  std::string output_;
  std::vector<std::string> files_;
  bool quiet_ = false;
};

}  // namespace sheaf::tool
