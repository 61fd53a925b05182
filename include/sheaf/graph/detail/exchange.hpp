// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Collective. As all_to_all of containers; in large teams, where most of them are empty, at the cost of an epoch and a
/// message for each one that is not.
template <class T>
std::vector<T> exchange(team const& members, std::vector<T> const& to) {
  constexpr std::uint32_t large = 64;
  if (members.size() <= large) return all_to_all(members, to);
  std::vector<T> from(members.size());
  message_type<T> part(members, [&from](T got, std::uint64_t sender) { from[sender] = std::move(got); });
  epoch(members, [&] {
    for (std::uint32_t r = 0; r < to.size(); ++r) {
      if (!to[r].empty()) part.send(r, to[r]);
    }
  });
  return from;
}

}  // namespace sheaf::detail
