// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/command.hpp"
#include "sheaf/graph/graph_actions.hpp"
#include "sheaf/graph/graph_request.hpp"

namespace sheaf::tool {

/// `sheaf graph`: algorithms on the graph of a file.
class graph_command : public command {
 public:
  explicit graph_command(CLI::App& app);
  int run() override;

 private:
  void add_kind(CLI::App& action);
  void add_file(CLI::App& action, graph_action const& what);
  void add_target(CLI::App& action);
  void add_run(CLI::App& action, graph_action const& what);
  void add_output(CLI::App& action, graph_action const& what);
  void add_choices(CLI::App& action, graph_action const& what);
  void check_action() const;
  [[nodiscard]] graph_request request() const;

  graph_request asked_;
  std::string distribution_ = "block", format_ = "automatic", output_form_ = "tsv";
  bool directed_ = false, undirected_ = false, quiet_ = false;
};

}  // namespace sheaf::tool
