// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "sheaf/base/call_site.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"
#include "sheaf/runtime/team.hpp"

/// ARMI's synchronization (§3.4, §4.3). All of it executes others' requests while it waits.
namespace sheaf {

namespace detail {

/// The encoded values in a fence's waves (wave.hpp): this member's partial reductions, and those that have arrived.
struct fence_value {
  static constexpr std::size_t most_bytes = 64;               ///< of the program's
  static constexpr std::size_t room_bytes = most_bytes + 16;  ///< with what a detector has in front of it

  std::size_t bytes;
  void (*own_to)(void const* own, std::byte* to);
  void (*add_to)(void const* op, std::byte* mine, std::byte const* theirs);
  void const* own;
  void const* op;
  std::byte longer[room_bytes], shorter[room_bytes], their_longer[room_bytes], their_shorter[room_bytes];

  void add(std::byte* mine, std::byte const* theirs) const;
};

/// A fence of the team or of one of its scopes; `value->longer` gets the reduction.
void run_fence(collective_call const& call, fence_value* value);

template <class Own>
auto now_of(Own const& own) {
  if constexpr (std::is_invocable_v<Own const&>) {
    return own();
  } else {
    return own;
  }
}

void wait_until(bool (*done)(void const*), void const* of, call_site where);

template <class Own>
using fenced_type = decltype(now_of(std::declval<Own const&>()));

/// A value and its operation, as a fence carries them. They stay where they are meanwhile.
template <class Own, class Op>
void carry(fence_value& carried, Own const& own, Op const& op) {
  using given = fenced_type<Own>;
  static_assert(fixed_size<given>, "sheaf: the value of a fence must have an encoding of one size");
  constexpr std::size_t bytes = fixed_wire_size<given>;
  static_assert(bytes <= fence_value::most_bytes, "sheaf: the value of a fence is at most 64 bytes; all_reduce");
  check_operation<given, Op>();
  carried.bytes = bytes;
  carried.own_to = [](void const* from, std::byte* to) {
    encode_to({to, bytes}, now_of(*static_cast<Own const*>(from)));
  };
  carried.add_to = [](void const* by, std::byte* mine, std::byte const* theirs) {
    auto const read = [](std::byte const* from) { return decode<given>({from, bytes}); };
    encode_to<given>({mine, bytes}, (*static_cast<Op const*>(by))(read(theirs), read(mine)));
  };
  carried.own = &own;
  carried.op = &op;
}

/// As fence with a value.
template <class Own, class Op>
auto fence_with(collective_call const& call, Own const& own, Op const& op) {
  fence_value carried;
  carry(carried, own, op);
  run_fence(call, &carried);
  return decode<fenced_type<Own>>({carried.longer, carried.bytes});
}

}  // namespace detail

/// Collective. Returns on no member before all have called it and every request on the team's objects that was issued
/// before or meanwhile has finished, with all requests that these caused, replies and continuations. The world's fence
/// covers all teams. If asynchronous methods threw since the last fence, it throws remote_error on every member, with
/// their number and the first few texts; the fence is complete then, too. Not in a remotely invoked method
/// (usage_error). Without requests it costs log2 n rounds of a message per member; over a tree two per member.
inline void fence(team const& members, call_site where = call_site::here()) {
  detail::run_fence({members, detail::says("fence"), where}, nullptr);
}

/// A fence that also reduces a value of each member, in the same messages. `own` is a value, or own() is called at each
/// of this member's cuts, and its last result counts: by then every request that the fence waits for has been executed,
/// and none that a member issues after its fence. Returns op(…op(one, another)…) of all members' values, on every
/// member. Values have one codec type whose encoding is of one size, at most 64 bytes (up to 8 bytes it costs no
/// further message or buffer). `op` is associative and commutative. Members begin with different ranks, so sums of
/// floating-point numbers may differ in their last bits. own() and op(a, b) only compute: sending is a usage_error,
/// exceptions end the job.
auto fence(team const& members, auto const& own, auto const& op, call_site where = call_site::here()) {
  return detail::fence_with({members, detail::says<decltype(detail::now_of(own))>("fence"), where}, own, op);
}

/// Waits until a request has been executed here. Each request executed since the last fence serves one call; if one is
/// left that has served none, the call returns at once. Replies and the library's own messages do not count. In a
/// remotely invoked method it nests, to options::nesting_limit.
void wait_for_request(call_site where = call_site::here());

/// Waits until done(), executing others' requests meanwhile (STAPL's block_until). done() is called after each piece of
/// progress, but not while a method executed meanwhile waits itself. It reads what requests, replies and continuations
/// change here; a thread that changes it sends something, or calls expect_from_outside(-1). In a remotely invoked
/// method it nests, to options::nesting_limit. Throws what done() throws; deadlock if nothing under way can make it
/// true.
template <class Done>
requires std::predicate<Done const&>
void wait_until(Done const& done, call_site where = call_site::here()) {
  auto const test = [&done]() -> bool { return done(); };
  detail::wait_until([](void const* of) { return (*static_cast<decltype(test)*>(of))(); }, &test, where);
}

/// Executes what has arrived, up to a limit; true: there was something. Never waits. If nothing has arrived, the
/// program hands over its open buffers, so that a loop of polls progresses as a wait; a remote method executes nothing.
/// The first empty poll behind one that found something looks 8 times, a pause of the core apart (0.2 us): an answer
/// may be near. Throws job_aborted once the job has failed.
inline bool poll() { return detail::current("poll").poll(); }

/// Hands all requests issued here to the transport. In the program it waits until the transport has taken them: on a
/// route of several hops, for the first one.
void flush(call_site where = call_site::here());

}  // namespace sheaf
