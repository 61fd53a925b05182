// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/error.hpp"

namespace sheaf {

/// A remotely invoked method threw. The text holds the original text, the method and the locations. Thrown by sync_rmi
/// and future::get at the caller; by a team's fence on every member for asynchronous requests (then `count` of them
/// threw and the text shows the first few).
class remote_error : public error {
 public:
  explicit remote_error(std::string const& text, std::uint64_t count = 1) : error(text), count_(count) {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  std::uint64_t count_;
};

}  // namespace sheaf
