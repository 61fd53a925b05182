// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/reply_windows.hpp"

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

std::uint32_t reply_windows::add(reply_window_entry& entry) {
  std::uint32_t window = 0;
  while (window < entries_.size() && entries_[window] != nullptr) ++window;
  if (window == most_windows) {
    throw usage_error("sheaf: a location has at most 1024 reply windows at a time; destroy one, or make one larger");
  }
  if (window == entries_.size()) entries_.push_back(nullptr);
  entries_[window] = &entry;
  return window;
}

}  // namespace sheaf::detail
