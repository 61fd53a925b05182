// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/collectives.hpp"

#include <utility>

#include "base/call_text.hpp"
#include "runtime/value_machines.hpp"
#include "runtime/wave.hpp"
#include "sheaf/message/guarded_run.hpp"

namespace sheaf {
namespace detail {
namespace {

/// Where messages go one way only, members wait for each other once in so many calls, which bounds the others' shelves.
constexpr std::uint32_t calls_between_barriers = 64;

/// Makes the machine of a call that is legal here, and goes on until it is done.
template <class Machine, class... A>
void carry_out(collective_call const& call, A&&... a) {
  location& here = here_of(call.members);
  here.check_may_wait(wait_kind::collective, call.said.what, call.from);
  admission const inside(here.gate());
  Machine machine(call, std::forward<A>(a)...);
  finish(here, machine, waits_for(call));
}

template <class... A>
void carry_out_one_way(collective_call const& call, A&&... a) {
  static_cast<void>(call.members.location_of(call.root, call.from));  // throws where there is none
  bool const catch_up = state_of(call.members).next_collective % calls_between_barriers == 0;
  carry_out<tree_machine>(call, std::forward<A>(a)...);
  if (catch_up) barrier(call.members, call.from);
}

}  // namespace

std::span<std::byte> room_of(encoded& bytes, std::size_t first) { return std::span(bytes).subspan(first); }
std::span<std::byte const> bytes_of(encoded const& bytes, std::size_t first) { return std::span(bytes).subspan(first); }

void broadcast_bytes(collective_call const& call, encoded& value) {
  carry_out_one_way(call, tree_use::broadcast, &value);
}

void broadcast_room(collective_call const& call, std::span<std::byte> value) {
  carry_out_one_way(call, tree_use::broadcast, nullptr, encoded_operation{}, value);
}

void reduce_bytes(collective_call const& call, encoded& value, encoded_operation op) {
  if (call.root == call.no_root) return carry_out<tree_machine>(call, tree_use::all_reduce, &value, op);
  carry_out_one_way(call, tree_use::reduce, &value, op);
}

bool scan_bytes(collective_call const& call, encoded& value, encoded_operation op) {
  carry_out<tree_machine>(call, tree_use::scan, &value, op);
  return call.members.rank() != 0;
}

void exchange_bytes(collective_call const& call, std::vector<encoded>& values) {
  if (values.size() != call.members.size()) {
    throw usage_error(std::string("sheaf: ") + call.said.what + " got " + std::to_string(values.size()) +
                      " values in a team of " + std::to_string(call.members.size()) +
                      "; give one for each member, by rank" + called_at(call.from));
  }
  carry_out<exchange_machine>(call, values);
}

void encoded_operation::add(encoded& mine, bytes left, bytes right) const {
  call_to_the_end("the operation of a collective call", [&] { combine(op, mine, left, right); });
}

void throw_undecodable_value(char const* why) {
  throw wire_error(std::string("sheaf: a value of a collective operation or a reduction does not decode: ") + why +
                   "; the processes run different builds, or memory was overwritten");
}

void append_encoded(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
  bool const is_left = left.data() == mine.data();
  auto const theirs = is_left ? right : left;
  mine.insert(is_left ? mine.end() : mine.begin(), theirs.begin(), theirs.end());
}

}  // namespace detail

void barrier(team const& members, call_site where) {
  detail::location& here = here_of(members);
  here.check_may_wait(detail::wait_kind::collective, "barrier", where);
  detail::admission const inside(here.gate());
  detail::collective_call const call{members, detail::says("barrier"), where};
  detail::operation operation(call);
  detail::wave wave(operation);
  wave.begin({});
  detail::finish(here, wave, detail::waits_for(call));
}

}  // namespace sheaf
