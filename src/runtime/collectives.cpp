// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/collectives.hpp"

#include <string>

#include "runtime/finish.hpp"
#include "runtime/value_machines.hpp"
#include "runtime/wave.hpp"

namespace sheaf {

namespace detail {

namespace {

/// A root that calls broadcast again and again is held up here once in so many calls, so that what lies on the others'
/// shelves stays bounded.
constexpr std::uint32_t calls_between_barriers = 16;

}  // namespace

void broadcast_bytes(team const& members, std::uint32_t root, encoded& value) {
  location& here = members.here();
  here.check_may_wait(wait_kind::collective, "broadcast");
  static_cast<void>(members.location_of(root));  // throws where there is none
  bool const catch_up = members.state().next_collective % calls_between_barriers == 0;
  broadcast_machine machine(here, members.state(), root, value);
  finish(here, machine);
  if (catch_up) barrier(members);
}

void reduce_bytes(team const& members, encoded& value, encoded_operation op) {
  location& here = members.here();
  here.check_may_wait(wait_kind::collective, "all_reduce or all_gather");
  reduce_machine machine(here, members.state(), value, op);
  finish(here, machine);
}

bool scan_bytes(team const& members, encoded& value, encoded_operation op) {
  location& here = members.here();
  here.check_may_wait(wait_kind::collective, "scan");
  scan_machine machine(here, members.state(), value, op);
  finish(here, machine);
  return members.rank() != 0;
}

void append_encoded(void const*, encoded& left, std::span<std::byte const> right) {
  left.insert(left.end(), right.begin(), right.end());
}

}  // namespace detail

void barrier(team const& members) {
  location& here = members.here();
  here.check_may_wait(wait_kind::collective, "barrier");
  detail::operation operation(here, members.state(), detail::collective_kind::barrier);
  detail::wave wave(operation);
  wave.begin({});
  detail::finish(here, wave);
}

}  // namespace sheaf
