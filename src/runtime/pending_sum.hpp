// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/team_tree.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/detail/sums.hpp"

namespace sheaf::detail {

/// One member's part of one sum: waits for its own value and for those of its children in the tree. Answers only store;
/// values are put together where requests may run, since that calls the user's operation.
class pending_sum {
 public:
  pending_sum(location& here, team_state& team, sum_key key, owned_operation op, sum_end end);
  ~pending_sum();
  pending_sum(pending_sum const&) = delete;
  pending_sum& operator=(pending_sum const&) = delete;

  void give_own(encoded value);
  /// A child's answer. Throws wire_error where none is awaited from this rank.
  void give(std::uint32_t rank, encoded value);

 private:
  void go_on();
  void finish();

  location& here_;
  team_state& team_;
  sum_key const key_;
  owned_operation const op_;
  sum_end end_;
  team_tree const tree_;
  std::optional<encoded> own_;
  std::vector<std::optional<encoded>> theirs_;  // by child
  std::uint32_t missing_;
};

}  // namespace sheaf::detail
