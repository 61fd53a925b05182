// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// What locations count and explain, over every transport.
#include <algorithm>
#include <string>

#include "base/insight.hpp"
#include "conformance/suite.hpp"

namespace {

struct bin : sheaf::distributed<bin> {
  explicit bin(sheaf::team const& on) : distributed(on) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t value) { sum += value; }
};

sheaf::statistics::link between(sheaf::statistics const& all, std::uint32_t from, std::uint32_t to) {
  auto const found = std::find_if(all.links.begin(), all.links.end(),
                                  [=](auto const& link) { return link.from == from && link.to == to; });
  return found == all.links.end() ? sheaf::statistics::link{from, to} : *found;
}

SHEAF_CASE(statistics, what_was_issued_was_executed_at_the_other_end) {
  if (!sheaf::detail::insight) return;
  bin all(s.world);
  sheaf::rmi_fence(s.world);
  sheaf::statistics const before = sheaf::total_statistics(s.world);
  std::uint64_t const count = s.scaled(1000);
  for (std::uint64_t i = 0; i < count; ++i) all.async<&bin::add>(s.next(), i);
  sheaf::rmi_fence(s.world);
  sheaf::statistics const after = sheaf::total_statistics(s.world);
  for (std::uint32_t from = 0; from < s.size(); ++from) {
    auto const old = between(before, from, (from + 1) % s.size()), now = between(after, from, (from + 1) % s.size());
    s.same(now.created - old.created, count, "requests issued");
    s.same(now.executed - old.executed, count, "requests executed");
    s.that(now.bytes_sent - old.bytes_sent >= count * sizeof(std::uint64_t), "as many bytes sent as arguments have");
    s.that(now.bytes_received - old.bytes_received >= count * sizeof(std::uint64_t), "and received");
  }
}

SHEAF_CASE(statistics, aggregation_within_a_process_and_between_two_is_explained_apart) {
  sheaf::options const& o = s.settings();
  if (!sheaf::detail::insight || o.transport != sheaf::transport_kind::hybrid || o.threads < 2) return;
  bin all(s.world);
  for (std::uint32_t dest = 0; dest < s.size(); ++dest) all.async<&bin::add>(dest, 1u);
  sheaf::rmi_fence(s.world);
  std::string const text = sheaf::explain();
  for (std::uint32_t dest = 0; dest < s.size(); ++dest) {
    bool const near = dest / o.threads == s.rank() / o.threads;
    std::string const line = "requests to location " + std::to_string(dest) + (near ? " (near)" : "") + ": ";
    s.holds_parts(text, {line});
    if (o.near_buffer_bytes == 0 || o.near_buffer_bytes >= o.buffer_bytes) continue;
    auto const at = text.find(line);
    std::string const most = "to at most " + std::to_string(o.near_buffer_bytes) + "; ";
    s.same(text.substr(at, text.find('\n', at) - at).find(most) != std::string::npos, near, "a limit of near buffers");
  }
  sheaf::rmi_fence(s.world);
}

}  // namespace
