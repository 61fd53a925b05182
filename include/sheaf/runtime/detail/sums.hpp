// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <compare>
#include <cstdint>

#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Sums that one member asks for: its request goes down a tree, the members' values come up again as answers, put
/// together on the way in the order of ranks. Values are encoded; what they mean is the business of who asks.

/// Which sum of which team it is: `number` is of the origin's sums, `origin` its rank.
struct sum_key {
  std::uint32_t team = 0;
  std::uint32_t origin = 0;
  std::uint32_t number = 0;
  auto operator<=>(sum_key const&) const = default;
};

/// An operation with what it points to.
struct owned_operation {
  encoded_operation apply;
  void (*destroy)(void const* op) noexcept = nullptr;  ///< null: nothing to destroy
};

/// Takes the total, once, where requests may run.
struct sum_end {
  void (*take)(void* where, encoded total) = nullptr;
  void (*forget)(void* where) noexcept = nullptr;  ///< called instead where the job ends before
  void* where = nullptr;
};

class pending_sum;

/// A number for a sum that this location begins.
std::uint32_t next_sum(location& here);

/// This member's part of a sum, opened before anybody below it in the tree can answer. On the origin `end` gets the
/// total. Throws wire_error where it is open already. Takes over `op` and `end` in any case.
pending_sum& open_sum(location& here, team_state& team, sum_key key, owned_operation op, sum_end end = {});

/// The one that the origin has opened. Throws wire_error where there is none.
pending_sum& opened_sum(location& here, sum_key key);

/// Gives this member's own value, once. The sum may be gone afterwards.
void give_own(pending_sum& sum, encoded value);

}  // namespace sheaf::detail
