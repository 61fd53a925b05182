// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace sheaf::detail {

/// Objects of one type that never move and live as long as the arena, made in groups.
template <class T>
class arena {
 public:
  static constexpr std::size_t group = 32;

  T& make() {
    if (used_ == groups_.size() * group) groups_.push_back(std::make_unique<T[]>(group));
    T& made = groups_[used_ / group][used_ % group];
    ++used_;
    return made;
  }

  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::size_t allocated() const noexcept { return groups_.size() * group; }

 private:
  std::vector<std::unique_ptr<T[]>> groups_;
  std::size_t used_ = 0;
};

}  // namespace sheaf::detail
