// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>

#include "sheaf/memory/detail/strided.hpp"

namespace sheaf::detail {

/// Two parts of memory of as many bytes, cut into blocks that have the same rows in both. Levels that lie end to end in
/// both become one.
class paired_rows {
 public:
  static constexpr std::size_t most_levels = 32;

  /// Throws usage_error where there are more.
  static void check_levels(std::size_t levels);

  /// Throws usage_error where a side has more levels.
  paired_rows(strided const& to, const_strided const& from);

  /// `count` rows of `row` bytes, at steps.
  struct block {
    std::byte* to;
    std::byte const* from;
    std::size_t row, count;
    std::ptrdiff_t to_step, from_step;
  };

  /// Calls f(block) until all bytes have been there.
  template <class F>
  void each(F const& f) const {
    if (to_.levels == 0) return f(inner_);
    std::size_t to_at[most_levels] = {}, from_at[most_levels] = {};
    block now = inner_;
    for (bool more = true; more;) {
      f(now);
      more = to_.next(to_at, now.to);
      from_.next(from_at, now.from);
    }
  }

 private:
  /// The levels of one side around the blocks.
  struct side {
    std::size_t levels = 0;
    std::size_t counts[most_levels + 1];
    std::ptrdiff_t steps[most_levels + 1];

    void add(std::size_t count, std::ptrdiff_t step) noexcept {
      counts[levels] = count;
      steps[levels++] = step;
    }
    /// Goes to the next place; false, and back to the first one, after the last.
    bool next(std::size_t (&at)[most_levels], auto*& address) const noexcept {
      for (std::size_t i = 0; i < levels; ++i) {
        address += steps[i];
        if (++at[i] < counts[i]) return true;
        address -= steps[i] * static_cast<std::ptrdiff_t>(counts[i]);
        at[i] = 0;
      }
      return false;
    }
  };
  template <class Byte>
  class rest;

  void add_common(std::size_t count, std::ptrdiff_t to_step, std::ptrdiff_t from_step) noexcept;

  block inner_{};
  std::size_t common_ = 0;  ///< levels found so far that are the same in both: row, count, and then those around
  side to_, from_;
};

}  // namespace sheaf::detail
