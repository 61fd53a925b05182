// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "message/reports.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/statistics.hpp"
#include "transport/standstill.hpp"

namespace sheaf::detail {

/// What a location says of itself. Nothing is sent.
class reports {
 public:
  explicit reports(location const& here) : here_(here), out_(here.out()), in_(here.in_) {}

  /// What it waits for, from its outermost wait inwards, and its counts per pair.
  void add_to(location_report& to) const;
  /// What it has counted. Costs a pass over its links.
  [[nodiscard]] sheaf::statistics statistics() const;
  /// Entries of requests sent from here whose credit has not come back, less those received here and not consumed.
  /// Added up over all locations it is 0 only when no credit is under way.
  [[nodiscard]] std::uint64_t unsettled_requests() const;

 private:
  void add_waits(location_report& to) const;
  [[nodiscard]] std::vector<std::pair<stream const*, outbox const*>> boxes_for(std::uint32_t dest) const;
  [[nodiscard]] std::uint64_t unsent(std::uint32_t dest) const;
  [[nodiscard]] std::uint64_t unexecuted(std::uint32_t source) const;
  [[nodiscard]] std::vector<std::uint32_t> peers() const;
  [[nodiscard]] link_report link_to(std::uint32_t peer) const;

  location const& here_;
  sender& out_;
  executor const& in_;
};

}  // namespace sheaf::detail
