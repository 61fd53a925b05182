// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <functional>

#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Whether edges stand in both directions, wherever: sums of hashes of the two kinds are equal, if so; if not, they are
/// with a probability of about 2^-64.
class both_ways {
 public:
  /// True: this is the direction in which the edge is read. A loop is, each time.
  bool add(std::uint64_t from, std::uint64_t to) {
    loops_ += from == to ? 1 : 0;
    up_ += from < to ? 1 : 0;
    down_ += from > to ? 1 : 0;
    sum_ += from < to ? hash(from, to) : from > to ? -hash(to, from) : 0;
    return from <= to;
  }
  /// Collective, once; then the others are of all members.
  void finish(team const& members) {
    for (std::uint64_t* each : {&loops_, &up_, &down_, &sum_}) *each = all_reduce(members, *each, std::plus<>{});
  }
  [[nodiscard]] bool are_equal() const { return up_ == down_ && sum_ == 0; }
  [[nodiscard]] std::uint64_t loops() const { return loops_; }
  [[nodiscard]] std::uint64_t entries() const { return up_ + down_ + loops_; }

 private:
  static std::uint64_t hash(std::uint64_t low, std::uint64_t high) { return mixed(mixed(low + 1) + high); }

  std::uint64_t loops_ = 0, up_ = 0, down_ = 0, sum_ = 0;
};

}  // namespace sheaf::detail
