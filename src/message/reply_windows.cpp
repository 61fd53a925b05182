// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/reply_windows.hpp"

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

/// What is left of a window, for the replies that are still under way.
struct reply_windows::orphaned {
  std::uint32_t window;
  reply_window_entry entry;
  std::string error;
  void* array;
  void (*destroy)(void*);
};

reply_windows::~reply_windows() { bury_orphans(true); }

std::uint32_t reply_windows::add(reply_window_entry& entry) {
  if (!orphans_.empty()) bury_orphans(false);
  std::uint32_t window = 0;
  while (window < entries_.size() && entries_[window] != nullptr) ++window;
  if (window == most_windows) {
    throw usage_error("sheaf: a location has at most 1024 reply windows at a time; destroy one, or make one larger");
  }
  if (window == entries_.size()) entries_.push_back(nullptr);
  entries_[window] = &entry;
  return window;
}

void reply_windows::orphan(std::uint32_t window, void* array, void (*destroy)(void*)) {
  auto* const left = new orphaned{window, *entries_[window], {}, array, destroy};
  left->entry.error = &left->error;
  entries_[window] = &left->entry;
  orphans_.push_back(left);
}

/// Those that have got all their replies; or all.
void reply_windows::bury_orphans(bool all) {
  std::erase_if(orphans_, [&](orphaned* each) {
    if (!all && each->entry.awaited() != 0) return false;
    entries_[each->window] = nullptr;
    each->destroy(each->array);
    delete each;
    return true;
  });
}

}  // namespace sheaf::detail
