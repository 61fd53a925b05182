// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

#include "sheaf/command.hpp"

namespace sheaf::tool {

/// `sheaf trace perfetto|otf2|plot|summary DIR`: makes something to look at out of what SHEAF_TRACE=DIR recorded.
class trace_command final : public command {
 public:
  explicit trace_command(CLI::App& app);

  /// Exit code: 0, or 2 with a message on stderr.
  int run() override;

 private:
  CLI::App* add(char const* name, char const* what);
  void make();
  void plot();
  /// Into the file that was named, or to standard output.
  void write(std::function<void(std::ostream&)> const& content) const;

  CLI::App* perfetto_;
  CLI::App* otf2_;
  CLI::App* plot_;
  CLI::App* summary_;
  std::string place_;
  std::string output_;
  std::string what_ = "requests";
  std::string title_;
  bool text_ = false;
  std::size_t most_ = 20;
};

}  // namespace sheaf::tool
