// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

constexpr std::uint32_t most_in_one_step = 64;  // members

/// A container that goes to a member, or has come from it.
template <class T>
struct part_for {
  std::uint32_t rank = 0;
  T values;
};

/// Collective. Sends parts to members, one to each at most. Returns those that were sent here and are not empty, by
/// rank. In large teams at the cost of an epoch, a message for each part that is not empty, and memory for parts only.
template <class T>
std::vector<part_for<T>> exchange_parts(team const& members, std::vector<part_for<T>> parts) {
  std::vector<part_for<T>> from;
  if (members.size() <= most_in_one_step) {
    std::vector<T> all(members.size());
    for (auto& each : parts) all[each.rank] = std::move(each.values);
    all = all_to_all(members, all);
    for (std::uint32_t r = 0; r < all.size(); ++r) {
      if (!all[r].empty()) from.push_back({r, std::move(all[r])});
    }
    return from;
  }
  message_type<T> one(members, [&from](T got, std::uint64_t sender) {
    from.push_back({static_cast<std::uint32_t>(sender), std::move(got)});
  });
  epoch(members, [&] {
    for (auto const& each : parts) {
      if (!each.values.empty()) one.send(each.rank, each.values);
    }
  });
  std::ranges::sort(from, {}, &part_for<T>::rank);
  return from;
}

/// Collective. The same with a container for each member, empty or not: as all_to_all.
template <class T>
std::vector<T> exchange(team const& members, std::vector<T> const& to) {
  if (members.size() <= most_in_one_step) return all_to_all(members, to);
  std::vector<part_for<T>> parts;
  for (std::uint32_t r = 0; r < to.size(); ++r) {
    if (!to[r].empty()) parts.push_back({r, to[r]});
  }
  std::vector<T> from(members.size());
  for (auto& each : exchange_parts(members, std::move(parts))) from[each.rank] = std::move(each.values);
  return from;
}

}  // namespace sheaf::detail
