// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/statistics.hpp"
#include "message/reports.hpp"
#include "sheaf/message/sender.hpp"

#include <algorithm>

#include "sheaf/runtime/collectives.hpp"

namespace sheaf {
namespace {

/// Adds what has the same key, and keeps the order of the left.
template <class T, class Same, class Add>
void merge(std::vector<T>& to, std::vector<T> const& from, Same same, Add add) {
  for (T const& one : from) {
    auto const at = std::find_if(to.begin(), to.end(), [&](T const& other) { return same(one, other); });
    if (at == to.end()) {
      to.push_back(one);
    } else {
      add(*at, one);
    }
  }
}

/// Links of both are sorted.
std::vector<statistics::link> merged(std::vector<statistics::link> const& a, std::vector<statistics::link> const& b) {
  std::vector<statistics::link> all(a.size() + b.size());
  auto const before = [](auto const& x, auto const& y) { return std::pair(x.from, x.to) < std::pair(y.from, y.to); };
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(), before);
  std::vector<statistics::link> sums;
  for (auto const& one : all) {
    if (sums.empty() || before(sums.back(), one)) {
      sums.push_back(one);
      continue;
    }
    auto& sum = sums.back();
    sum.created += one.created, sum.executed += one.executed;
    sum.entries_sent += one.entries_sent, sum.entries_received += one.entries_received;
    sum.bytes_sent += one.bytes_sent, sum.bytes_received += one.bytes_received;
  }
  return sums;
}

statistics::marks highest(statistics::marks const& a, statistics::marks const& b) {
  return {std::max(a.reserve_bytes, b.reserve_bytes), std::max(a.overflow_buffers, b.overflow_buffers),
          std::max(a.open_buffers, b.open_buffers),   std::max(a.held_entries, b.held_entries),
          std::max(a.nested_waits, b.nested_waits),   std::max(a.open_bytes, b.open_bytes)};
}

struct add_up {
  statistics operator()(statistics a, statistics const& b) const {
    merge(
        a.handlers, b.handlers, [](auto const& x, auto const& y) { return x.name == y.name; },
        [](auto& sum, auto const& one) {
          sum.runs += one.runs;
          sum.requests += one.requests;
        });
    std::stable_sort(a.handlers.begin(), a.handlers.end(),
                     [](auto const& x, auto const& y) { return x.requests > y.requests; });
    a.links = merged(a.links, b.links);
    for (std::size_t i = 0; i < a.flushes.size(); ++i) a.flushes[i] += b.flushes[i];
    a.most = highest(a.most, b.most);
    a.reserve_raises += b.reserve_raises;
    return a;
  }
};

}  // namespace

statistics local_statistics() { return detail::reports(detail::current("local_statistics")).statistics(); }

statistics total_statistics(team const& members, call_site where) {
  return all_reduce(members, detail::reports(members.here()).statistics(), add_up{}, where);
}

std::string explain() { return detail::current("explain").out().explain(); }

}  // namespace sheaf
