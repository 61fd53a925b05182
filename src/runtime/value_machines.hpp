// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/collective.hpp"
#include "runtime/tree_place.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

// Collectives of values as state machines: `advance` goes on with what has arrived and says whether this member is
// done. Values are encoded; they are put together over trees whose subtrees are intervals of ranks.

/// The root's value to all.
class broadcast_machine {
 public:
  broadcast_machine(location& here, team_state& team, std::uint32_t root, encoded& value);
  bool advance();

 private:
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t place) const { return (place + root_) % operation_.team().size(); }

  operation operation_;
  std::uint32_t const root_;
  tree_place const place_;  // of the rank counted from the root
  encoded& value_;
};

/// All values put together, to all.
class reduce_machine {
 public:
  reduce_machine(location& here, team_state& team, encoded& value, encoded_operation op);
  bool advance();

 private:
  operation operation_;
  tree_place const place_;
  encoded& value_;
  encoded_operation const op_;
  std::uint32_t heard_ = 0;  // children whose values are in
  bool sent_ = false;
};

/// To each the values of the ranks before it, put together.
class scan_machine {
 public:
  scan_machine(location& here, team_state& team, encoded& value, encoded_operation op);
  bool advance();

 private:
  bool gather();
  void pass_on();

  operation operation_;
  tree_place const place_;
  encoded& value_;
  encoded_operation const op_;
  encoded own_;
  std::vector<encoded> sums_;  // of the children heard of
  bool sent_ = false;
};

}  // namespace sheaf::detail
