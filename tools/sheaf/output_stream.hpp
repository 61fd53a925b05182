// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <string_view>

#include "sheaf/label_output.hpp"

namespace sheaf::tool {

/// One of a launcher's two outputs, on its way through the labels: a pipe from it to us.
class output_stream {
 public:
  /// `to`: the descriptor that the launcher would have written to. Throws command_error where there is no pipe.
  output_stream(launch_plan const& plan, int to);
  output_stream(output_stream const&) = delete;
  output_stream& operator=(output_stream const&) = delete;
  ~output_stream();

  /// In the launcher's process: what it writes goes into the pipe.
  void become_writer() noexcept;
  /// In ours, once the launcher has the pipe.
  void close_writer() noexcept;

  /// The end to wait for; negative after the end.
  [[nodiscard]] int reader() const noexcept { return ends_[0]; }

  /// Takes what has come, at least one byte or the end. Blocks until there is.
  void pass_on();

  /// The launcher has ended: takes what is left in the pipe, without waiting for others who may hold it open.
  void finish();

  /// The number of the error that kept text from being written, after which none is; 0: there was none.
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  void pass_to(std::string_view text);
  void close_reader() noexcept;

  int to_;
  int error_ = 0;
  std::array<int, 2> ends_{-1, -1};
  label_output labels_;
};

}  // namespace sheaf::tool
