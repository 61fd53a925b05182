// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sheaf/transport/simulator.hpp"

namespace sheaf::detail {

struct step;

/// One side of a location's network interface in a timed play: entries pass it one after another.
class sim_port {
 public:
  /// When the first byte passes of an entry that comes at `when`. The port is busy from then on.
  std::uint64_t pass(loggp const& costs, std::uint64_t when, std::size_t bytes) noexcept {
    std::uint64_t const first_byte = std::max(when, free_);
    free_ = first_byte + std::max(costs.gap_ns, costs.transfer_ns(bytes));
    return first_byte;
  }

 private:
  std::uint64_t free_ = 0;
};

/// One location's time in a timed play.
struct sim_clock {
  std::uint64_t now = 0;   ///< as its last run left it
  std::uint64_t seen = 0;  ///< what its last look at the clock was told
  sim_port out{};
  sim_port in{};
};

/// The possible steps of a timed play, the earliest first; of those at one time, the one with the lowest label. A heap:
/// adding and taking are O(log n) and read no step.
class timetable {
 public:
  struct item {
    std::uint64_t when = 0;
    std::uint64_t label = 0;
    step* what = nullptr;
  };
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
  /// When the earliest step is to be taken.
  [[nodiscard]] std::uint64_t earliest() const noexcept { return items_.empty() ? never : items_.front().when; }

  void add(item const& one) {
    items_.push_back(one);
    std::push_heap(items_.begin(), items_.end(), later{});
  }

  /// The earliest, which is no longer in it; there must be one.
  item take() noexcept {
    std::pop_heap(items_.begin(), items_.end(), later{});
    item const first = items_.back();
    items_.pop_back();
    if (!items_.empty()) __builtin_prefetch(items_.front().what);  // a tenth of the time with 65,536 locations
    return first;
  }

 private:
  struct later {
    bool operator()(item const& a, item const& b) const noexcept {
      return std::tie(a.when, a.label) > std::tie(b.when, b.label);
    }
  };

  std::vector<item> items_;
};

}  // namespace sheaf::detail
