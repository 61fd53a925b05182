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

/// A member's operation for a sum. It lasts as long as the sum.
struct sum_owner {
  virtual ~sum_owner() = default;
  [[nodiscard]] virtual encoded_operation operation() const = 0;
  /// Gets the total, on the origin, where requests may run; not called where the job ends before.
  virtual void take(encoded) {}
};

class pending_sum;

/// A number for a sum that this location begins.
std::uint32_t next_sum(location& here);

/// This member's part of a sum, which nobody below it has answered yet. Takes over `owner`. Throws wire_error if open.
pending_sum& open_sum(location& here, team_state& team, sum_key key, sum_owner* owner);

/// The one that the origin has opened. Throws wire_error where there is none.
pending_sum& opened_sum(location& here, sum_key key);

/// Gives this member's own value, once. The sum may be gone afterwards.
void give_own(pending_sum& sum, encoded value);

}  // namespace sheaf::detail
