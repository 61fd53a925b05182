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
  sheaf::fence(s.world);
  sheaf::statistics const before = sheaf::total_statistics(s.world);
  std::uint64_t const count = s.scaled(1000);
  for (std::uint64_t i = 0; i < count; ++i) all.async<&bin::add>(s.next(), i);
  sheaf::fence(s.world);
  sheaf::statistics const after = sheaf::total_statistics(s.world);
  for (std::uint32_t from = 0; from < s.size(); ++from) {
    auto const old = between(before, from, (from + 1) % s.size()), now = between(after, from, (from + 1) % s.size());
    s.same(now.created - old.created, count, "requests issued");
    s.same(now.executed - old.executed, count, "requests executed");
    if (after.passed_on != 0) continue;  // entries go to others
    s.that(now.bytes_sent - old.bytes_sent >= count * sizeof(std::uint64_t), "as many bytes sent as arguments have");
    s.that(now.bytes_received - old.bytes_received >= count * sizeof(std::uint64_t), "and received");
  }
}

/// What explain() says of requests to this destination.
std::string line_of(std::string const& text, std::uint32_t dest, bool near) {
  auto const at = text.find("requests to location " + std::to_string(dest) + (near ? " (near)" : "") + ": ");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

SHEAF_CASE(statistics, aggregation_within_a_process_and_between_two_is_set_and_explained_apart) {
  if (s.settings().path != sheaf::route_kind::automatic) return;  // some requests are for others
  sheaf::options const& o = s.settings();
  if (!sheaf::detail::insight || o.transport != sheaf::transport_kind::hybrid || o.threads < 2) return;
  bin all(s.world);
  for (std::uint32_t dest = 0; dest < s.size(); ++dest) all.async<&bin::add>(dest, 1u);
  auto const is_near = [&](std::uint32_t dest) { return here_of(s.world).connection().near(sheaf::location_id{dest}); };
  sheaf::fence(s.world);
  std::string const of_settings = sheaf::explain();
  for (std::uint32_t dest = 0; dest < s.size(); ++dest) {
    bool const near = is_near(dest);
    std::string const most = near ? "to at most " + std::to_string(o.near_buffer_bytes) + "; " : "to at most ";
    s.holds_parts(line_of(of_settings, dest, near), {most});
  }
  sheaf::detail::location& here = here_of(s.world);
  here.set_aggregation(20, 70, sheaf::reach::near);
  here.set_aggregation(30, 90, sheaf::reach::far);
  std::string const of_program = sheaf::explain();
  for (std::uint32_t dest = 0; dest < s.size(); ++dest) {
    bool const near = is_near(dest);
    s.holds_parts(line_of(of_program, dest, near), {near ? "from 20" : "from 30", near ? "most 70; " : "most 90; "});
  }
  std::size_t const near_first = std::min(o.near_first_flush_bytes, o.near_buffer_bytes);
  here.set_aggregation(near_first, o.near_buffer_bytes, sheaf::reach::near);
  here.set_aggregation(std::min(o.first_flush_bytes, o.buffer_bytes), o.buffer_bytes, sheaf::reach::far);
  sheaf::fence(s.world);
}

}  // namespace
