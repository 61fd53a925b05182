// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/collectives.hpp"

#include <string>
#include <utility>

#include "runtime/finish.hpp"
#include "runtime/value_machines.hpp"
#include "runtime/wave.hpp"

namespace sheaf {

namespace detail {

namespace {

/// Where messages go one way only, a member that calls again and again is held up here once in so many calls, so that
/// what lies on the others' shelves stays bounded.
constexpr std::uint32_t calls_between_barriers = 64;

/// Makes the machine of a call that is legal here, and goes on until it is done.
template <class Machine, class... A>
void carry_out(collective_call const& call, char const* what, A&&... a) {
  location& here = call.members.here();
  here.check_may_wait(wait_kind::collective, what);
  admission const inside(here.gate());
  Machine machine(here, call.members.state(), std::forward<A>(a)...);
  wait_site site = waits_for(call.what == nullptr ? what : call.what, call.members, call.from);
  site.method = call.method;
  site.object = call.object;
  finish(here, machine, site);
}

/// The same where messages go one way only.
template <class Machine, class... A>
void carry_out_one_way(collective_call const& call, char const* what, A&&... a) {
  bool const catch_up = call.members.state().next_collective % calls_between_barriers == 0;
  carry_out<Machine>(call, what, std::forward<A>(a)...);
  if (catch_up) barrier(call.members, call.from);
}

}  // namespace

void broadcast_bytes(collective_call const& call, std::uint32_t root, encoded& value) {
  static_cast<void>(call.members.location_of(root));  // throws where there is none
  carry_out_one_way<broadcast_machine>(call, "broadcast", root, value);
}

void broadcast_bytes(collective_call const& call, std::uint32_t root, std::span<std::byte> value) {
  static_cast<void>(call.members.location_of(root));
  carry_out_one_way<broadcast_machine>(call, "broadcast", root, value);
}

void reduce_bytes(collective_call const& call, encoded& value, encoded_operation op) {
  carry_out<reduce_machine>(call, "all_reduce or all_gather", value, op);
}

void reduce_bytes_to(collective_call const& call, std::uint32_t root, encoded& value, encoded_operation op) {
  static_cast<void>(call.members.location_of(root));
  carry_out_one_way<reduce_to_one_machine>(call, "reduce", collective_kind::reduce_to_one, root, value, op);
}

void gather_bytes(collective_call const& call, std::uint32_t root, encoded& value) {
  static_cast<void>(call.members.location_of(root));
  encoded_operation const append{&append_encoded, nullptr};
  carry_out_one_way<reduce_to_one_machine>(call, "gather", collective_kind::gather, root, value, append);
}

bool scan_bytes(collective_call const& call, encoded& value, encoded_operation op) {
  carry_out<scan_machine>(call, "scan", value, op);
  return call.members.rank() != 0;
}

void exchange_bytes(collective_call const& call, bool to_combine, std::vector<encoded>& values) {
  char const* const what = to_combine ? "reduce_scatter" : "all_to_all";
  if (values.size() != call.members.size()) {
    throw usage_error(std::string("sheaf: ") + what + " got " + std::to_string(values.size()) +
                      " values in a team of " + std::to_string(call.members.size()) +
                      "; give one for each member, by rank");
  }
  carry_out<exchange_machine>(call, what, to_combine ? collective_kind::reduce_scatter : collective_kind::all_to_all,
                              values);
}

void throw_undecodable_value(char const* why) {
  throw wire_error(std::string("sheaf: a value of a collective operation or a reduction does not decode: ") + why +
                   "; the processes run different builds, or memory was overwritten");
}

void throw_left_over(std::size_t bytes) { throw decode_error(std::to_string(bytes) + " bytes are left"); }

void append_encoded(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
  bool const is_left = left.data() == mine.data();
  auto const theirs = is_left ? right : left;
  mine.insert(is_left ? mine.end() : mine.begin(), theirs.begin(), theirs.end());
}

}  // namespace detail

void barrier(team const& members, call_site where) {
  location& here = members.here();
  here.check_may_wait(wait_kind::collective, "barrier");
  detail::admission const inside(here.gate());
  detail::operation operation(here, members.state(), detail::collective_kind::barrier);
  detail::wave wave(operation);
  wave.begin({});
  detail::finish(here, wave, detail::waits_for("barrier", members, where));
}

}  // namespace sheaf
