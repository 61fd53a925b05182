// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sheaf/launch_plan.hpp"

namespace sheaf::tool {

/// Puts the locations of a process in front of each line of its output, where the launcher has put its own mark of the
/// process: "[4-7] text". Lines without a mark, which are the launcher's own words, stay as they are.
class label_output {
 public:
  using sink = std::function<void(std::string_view)>;

  label_output(launcher_kind kind, unsigned threads, sink to) : kind_(kind), threads_(threads), to_(std::move(to)) {}

  /// Takes the next part of the output, and passes on every line that is complete.
  void take(std::string_view part);

  /// The output has ended: passes on the rest.
  void finish();

 private:
  void line(std::string_view text);

  launcher_kind kind_;
  unsigned threads_;
  sink to_;
  std::string rest_;
};

/// One line, without its end, as label_output passes it on.
std::string labelled(std::string_view line, launcher_kind kind, unsigned threads);

}  // namespace sheaf::tool
