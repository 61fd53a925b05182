// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/statistics.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "message/reports.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {
namespace {

/// What is in either, sorted by its key; what has the same key is added up.
template <class T, class Key, class Add>
std::vector<T> summed(std::vector<T> all, std::vector<T> const& more, Key key, Add add) {
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end(), [&](T const& x, T const& y) { return key(x) < key(y); });
  std::vector<T> sums;
  for (T const& one : all) {
    if (sums.empty() || key(sums.back()) != key(one)) {
      sums.push_back(one);
    } else {
      add(sums.back(), one);
    }
  }
  return sums;
}

statistics::marks highest(statistics::marks const& a, statistics::marks const& b) {
  return {std::max(a.reserve_bytes, b.reserve_bytes), std::max(a.overflow_buffers, b.overflow_buffers),
          std::max(a.open_buffers, b.open_buffers),   std::max(a.held_entries, b.held_entries),
          std::max(a.nested_waits, b.nested_waits),   std::max(a.open_bytes, b.open_bytes)};
}

statistics added(statistics a, statistics const& b) {
  a.handlers = summed(
      std::move(a.handlers), b.handlers, [](auto const& one) { return std::string_view(one.name); },
      [](auto& sum, auto const& one) {
        sum.runs += one.runs;
        sum.requests += one.requests;
      });
  std::stable_sort(a.handlers.begin(), a.handlers.end(),
                   [](auto const& x, auto const& y) { return x.requests > y.requests; });
  a.links = summed(
      std::move(a.links), b.links, [](auto const& one) { return std::pair(one.from, one.to); },
      [](auto& sum, auto const& one) {
        sum.created += one.created, sum.executed += one.executed;
        sum.entries_sent += one.entries_sent, sum.entries_received += one.entries_received;
        sum.bytes_sent += one.bytes_sent, sum.bytes_received += one.bytes_received;
      });
  a.policies = summed(
      std::move(a.policies), b.policies, [](auto const& one) { return std::string_view(one.name); },
      [](auto& sum, auto const& one) { sum.looked_up += one.looked_up, sum.hits += one.hits; });
  for (std::size_t i = 0; i < a.flushes.size(); ++i) a.flushes[i] += b.flushes[i];
  a.most = highest(a.most, b.most);
  a.reserve_raises += b.reserve_raises;
  a.passed_on += b.passed_on;
  return a;
}

}  // namespace

statistics local_statistics() { return detail::reports(detail::current("local_statistics")).statistics(); }

statistics total_statistics(team const& members, call_site where) {
  return all_reduce(members, detail::reports(here_of(members)).statistics(), added, where);
}

std::string explain() { return detail::current("explain").out().explain(); }

}  // namespace sheaf
