// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <string_view>

namespace sheaf::detail {

/// A file's bytes, read-only in memory.
class mapped_file {
 public:
  /// Throws graph_file_error.
  explicit mapped_file(std::string const& path);
  ~mapped_file();
  mapped_file& operator=(mapped_file&&) = delete;

  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace sheaf::detail
