// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/collective.hpp"
#include "runtime/tree_place.hpp"

namespace sheaf::detail {

/// How the members of a team that is made from a list learn its number: the first one takes one of its own, and it goes
/// down a tree over the list, together with the list, which tells for which call it is. Equal lists are told apart by
/// the order of calls, which is that of messages too, since all go the same way.
class naming_machine {
 public:
  naming_machine(location& here, std::vector<location_id> const& members);
  bool advance();

  /// Once done.
  [[nodiscard]] team_number number() const { return number_; }

 private:
  bool take_number();

  location& here_;
  std::vector<location_id> const& members_;
  tree_place const place_;
  team_number number_;
};

}  // namespace sheaf::detail
