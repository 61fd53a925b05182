// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/message/handler.hpp"

namespace sheaf::detail {

/// An array on this location that replies are written into directly.
struct reply_window_entry {
  void* slots = nullptr;
  type_token type = nullptr;
  std::uint32_t size = 0;
  std::uint64_t* unanswered = nullptr;  ///< of the team; counts a window while it awaits anything
  std::string* error = nullptr;         ///< text of the first exception
  std::uint32_t one_less = ~0U;         ///< than it awaits: what makes it 0 is known without a comparison

  [[nodiscard]] std::uint32_t awaited() const { return one_less + 1; }
  void await() {
    if (++one_less == 0) [[unlikely]]
      ++*unanswered;
  }
  void arrived(std::uint32_t replies) {
    one_less -= replies;
    if (awaited() == 0) --*unanswered;
  }
};

/// The windows of one location, by number; a token is a window's number and a slot in it.
class reply_windows {
 public:
  static constexpr std::uint32_t slot_bits = 22;
  static constexpr std::uint32_t most_windows = 1U << (32 - slot_bits);

  /// Enters a window, which stays where it is until it is removed. Throws usage_error when all numbers are in use.
  std::uint32_t add(reply_window_entry& entry);
  void remove(std::uint32_t window) { entries_[window] = nullptr; }

  /// Instead, for a window that goes although it awaits replies: its array, and a copy of its entry, stay at least
  /// until these have come, and the number stays in use. `destroy(array)` ends it.
  void orphan(std::uint32_t window, void* array, void (*destroy)(void* array));

  reply_windows() = default;
  ~reply_windows();
  reply_windows(reply_windows const&) = delete;
  reply_windows& operator=(reply_windows const&) = delete;

  /// The window that awaits a reply with this token, or null; the slot's number is checked.
  [[nodiscard]] reply_window_entry* find(std::uint32_t token) const {
    std::uint32_t const window = token >> slot_bits;
    if (window >= entries_.size() || entries_[window] == nullptr) return nullptr;
    auto* const entry = entries_[window];
    return entry->awaited() != 0 && slot_of(token) < entry->size ? entry : nullptr;
  }
  /// The same if its slots are of this type.
  [[nodiscard]] reply_window_entry* find(std::uint32_t token, type_token type) const {
    auto* const entry = find(token);
    return entry != nullptr && entry->type == type ? entry : nullptr;
  }
  static constexpr std::uint32_t slot_of(std::uint32_t token) { return token & ((1U << slot_bits) - 1); }

 private:
  struct orphaned;
  void bury_orphans(bool all);

  std::vector<reply_window_entry*> entries_;  // by number; null where free
  std::vector<orphaned*> orphans_;
};

}  // namespace sheaf::detail
