// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/async/future.hpp"
#include "sheaf/runtime/detail/collective_plans.hpp"

namespace sheaf {

// Collective operations: all members of the team call the same ones in the same order, with values of the same type and
// the same root, in the program (usage_error in a remotely invoked method). If members call different ones, the job
// ends, and the error names both calls. Requests are executed meanwhile. Earlier requests are not waited for: that is
// what fence does. Values are of any codec type and any size. `op` is associative, const-callable as op(T, T) -> T (one
// of std's function objects, for example) and applied in the order of ranks, so it need not commute; all members get
// the same bits. Cost, unless stated otherwise: log2 n messages per member, one after another; for scan, and where
// fences use a tree, two messages per member in 2·log n steps.
//
// Each has a split-phase form, ask_X, with the same arguments. Only the program may call it: no method, no
// continuation, no coroutine that has suspended. It returns a future at once, and proceeds in the program's calls and
// waits. Members may mix both forms of one operation. A fence of the team waits for the futures. At most 64 operations
// of a team are open; a further one waits for the first. The memory of a span must stay until the future is ready.
//
// Forms with a span work element by element. Elements travel as their memory image (trivially copyable, no pointers).
// Unless stated otherwise all members give spans of one length, else the job ends.

/// Returns on no member before all have called it. log2 n rounds of one message per member; over a tree two per member.
void barrier(team const& members, call_site where = call_site::here());
[[nodiscard]] future<void> ask_barrier(team const& members, call_site where = call_site::here());

/// Returns the root's value on every member; the other values are ignored. One message per member. The root does not
/// wait for the others, but is never more than 64 calls ahead.
template <detail::collective_value T>
T broadcast(team const& members, std::uint64_t root, T const& value, call_site where = call_site::here()) {
  return detail::run_plan(detail::broadcasting<T>({members, detail::says<T>("broadcast"), where, root}, value));
}
template <detail::collective_value T>
[[nodiscard]] future<T> ask_broadcast(team const& members, std::uint64_t root, T const& value,
                                      call_site where = call_site::here()) {
  return detail::start_plan(detail::broadcasting<T>({members, detail::says<T>("broadcast"), where, root}, value));
}
/// The root's elements, in every member's span.
template <detail::spannable T, std::size_t N>
void broadcast(team const& members, std::uint64_t root, std::span<T, N> values, call_site where = call_site::here()) {
  detail::run_plan(detail::spanning<T>({members, detail::says<std::span<T>>("broadcast"), where, root},
                                       detail::collective_kind::broadcast, values));
}
template <detail::spannable T, std::size_t N>
[[nodiscard]] future<void> ask_broadcast(team const& members, std::uint64_t root, std::span<T, N> values,
                                         call_site where = call_site::here()) {
  return detail::start_plan(detail::spanning<T>({members, detail::says<std::span<T>>("broadcast"), where, root},
                                                detail::collective_kind::broadcast, values));
}

/// op(…op(value of rank 0, value of rank 1)…), on every member.
template <detail::collective_value T, class Op>
T all_reduce(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  return detail::run_plan(detail::reducing_plan<T, Op>({members, detail::says<T>("all_reduce"), where}, value, op));
}
template <detail::collective_value T, class Op>
[[nodiscard]] future<T> ask_all_reduce(team const& members, T const& value, Op op,
                                       call_site where = call_site::here()) {
  return detail::start_plan(detail::reducing_plan<T, Op>({members, detail::says<T>("all_reduce"), where}, value, op));
}
/// In place, on every member.
template <detail::spannable T, std::size_t N, class Op>
void all_reduce(team const& members, std::span<T, N> values, Op op, call_site where = call_site::here()) {
  detail::run_plan(detail::spanning<T, Op>({members, detail::says<std::span<T>>("all_reduce"), where},
                                           detail::collective_kind::reduce, values, op));
}
template <detail::spannable T, std::size_t N, class Op>
[[nodiscard]] future<void> ask_all_reduce(team const& members, std::span<T, N> values, Op op,
                                          call_site where = call_site::here()) {
  return detail::start_plan(detail::spanning<T, Op>({members, detail::says<std::span<T>>("all_reduce"), where},
                                                    detail::collective_kind::reduce, values, op));
}

/// op(…op(value of rank 0, value of rank 1)…) on the root; on the others their own value. One message per member, up a
/// tree. The others do not wait for the root, but are never more than 64 calls ahead.
template <detail::collective_value T, class Op>
T reduce(team const& members, std::uint64_t root, T const& value, Op op, call_site where = call_site::here()) {
  return detail::run_plan(detail::reducing_plan<T, Op>({members, detail::says<T>("reduce"), where, root}, value, op));
}
template <detail::collective_value T, class Op>
[[nodiscard]] future<T> ask_reduce(team const& members, std::uint64_t root, T const& value, Op op,
                                   call_site where = call_site::here()) {
  return detail::start_plan(detail::reducing_plan<T, Op>({members, detail::says<T>("reduce"), where, root}, value, op));
}
/// In place on the root; the others' spans stay unchanged.
template <detail::spannable T, std::size_t N, class Op>
void reduce(team const& members, std::uint64_t root, std::span<T, N> values, Op op,
            call_site where = call_site::here()) {
  detail::run_plan(detail::spanning<T, Op>({members, detail::says<std::span<T>>("reduce"), where, root},
                                           detail::collective_kind::reduce, values, op));
}
template <detail::spannable T, std::size_t N, class Op>
[[nodiscard]] future<void> ask_reduce(team const& members, std::uint64_t root, std::span<T, N> values, Op op,
                                      call_site where = call_site::here()) {
  return detail::start_plan(detail::spanning<T, Op>({members, detail::says<std::span<T>>("reduce"), where, root},
                                                    detail::collective_kind::reduce, values, op));
}

/// Every member's value, by rank.
template <detail::collective_value T>
std::vector<T> all_gather(team const& members, T const& value, call_site where = call_site::here()) {
  return detail::run_plan(detail::gathering<T>({members, detail::says<T>("all_gather"), where}, value));
}
template <detail::collective_value T>
[[nodiscard]] future<std::vector<T>> ask_all_gather(team const& members, T const& value,
                                                    call_site where = call_site::here()) {
  return detail::start_plan(detail::gathering<T>({members, detail::says<T>("all_gather"), where}, value));
}
/// Every member's elements, concatenated by rank. Spans may differ in length.
template <detail::spannable T, std::size_t N>
std::vector<std::remove_const_t<T>> all_gather(team const& members, std::span<T, N> values,
                                               call_site where = call_site::here()) {
  return detail::run_plan(
      detail::gathering_span<T>({members, detail::says<std::span<T const>>("all_gather"), where}, values));
}
template <detail::spannable T, std::size_t N>
[[nodiscard]] future<std::vector<std::remove_const_t<T>>> ask_all_gather(team const& members, std::span<T, N> values,
                                                                         call_site where = call_site::here()) {
  return detail::start_plan(
      detail::gathering_span<T>({members, detail::says<std::span<T const>>("all_gather"), where}, values));
}

/// Every member's value, by rank, on the root; an empty vector on the others. Values may differ in size. Costs and
/// waits as reduce.
template <detail::collective_value T>
std::vector<T> gather(team const& members, std::uint64_t root, T const& value, call_site where = call_site::here()) {
  return detail::run_plan(detail::gathering<T>({members, detail::says<T>("gather"), where, root}, value));
}
template <detail::collective_value T>
[[nodiscard]] future<std::vector<T>> ask_gather(team const& members, std::uint64_t root, T const& value,
                                                call_site where = call_site::here()) {
  return detail::start_plan(detail::gathering<T>({members, detail::says<T>("gather"), where, root}, value));
}
/// Every member's elements, concatenated by rank, on the root. Spans may differ in length.
template <detail::spannable T, std::size_t N>
std::vector<std::remove_const_t<T>> gather(team const& members, std::uint64_t root, std::span<T, N> values,
                                           call_site where = call_site::here()) {
  return detail::run_plan(
      detail::gathering_span<T>({members, detail::says<std::span<T const>>("gather"), where, root}, values));
}
template <detail::spannable T, std::size_t N>
[[nodiscard]] future<std::vector<std::remove_const_t<T>>> ask_gather(team const& members, std::uint64_t root,
                                                                     std::span<T, N> values,
                                                                     call_site where = call_site::here()) {
  return detail::start_plan(
      detail::gathering_span<T>({members, detail::says<std::span<T const>>("gather"), where, root}, values));
}

/// Sends value r to member r; returns the values that the members sent to this one, by rank. For several values per
/// member T is a vector, of any length. One message from each to each, in one step (hybrid: from process to process,
/// with all values). Throws usage_error, before anything is sent, unless there is one value per member.
template <detail::collective_value T>
std::vector<T> all_to_all(team const& members, std::vector<T> const& values, call_site where = call_site::here()) {
  return detail::run_plan(detail::exchanging<T>({members, detail::says<T>("all_to_all"), where}, values));
}
template <detail::collective_value T>
[[nodiscard]] future<std::vector<T>> ask_all_to_all(team const& members, std::vector<T> const& values,
                                                    call_site where = call_site::here()) {
  return detail::start_plan(detail::exchanging<T>({members, detail::says<T>("all_to_all"), where}, values));
}

/// As all_to_all, but member r gets its values reduced by op in the order of ranks.
template <detail::collective_value T, class Op>
T reduce_scatter(team const& members, std::vector<T> const& values, Op op, call_site where = call_site::here()) {
  return detail::run_plan(
      detail::reducing_parts<T, Op>({members, detail::says<T>("reduce_scatter"), where}, values, op));
}
template <detail::collective_value T, class Op>
[[nodiscard]] future<T> ask_reduce_scatter(team const& members, std::vector<T> const& values, Op op,
                                           call_site where = call_site::here()) {
  return detail::start_plan(
      detail::reducing_parts<T, Op>({members, detail::says<T>("reduce_scatter"), where}, values, op));
}

/// The reduction by op of the values of ranks 0…rank(), this one's included.
template <detail::collective_value T, class Op>
T scan(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  return detail::run_plan(detail::scanning<T, Op>({members, detail::says<T>("scan"), where}, value, op));
}
template <detail::collective_value T, class Op>
[[nodiscard]] future<T> ask_scan(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  return detail::start_plan(detail::scanning<T, Op>({members, detail::says<T>("scan"), where}, value, op));
}

/// The reduction by op of `first` and the values of ranks 0…rank()−1; on rank 0 `first`.
template <detail::collective_value T, class Op>
T exclusive_scan(team const& members, T const& value, T const& first, Op op, call_site where = call_site::here()) {
  return detail::run_plan(
      detail::scanning<T, Op, true>({members, detail::says<T>("exclusive_scan"), where}, value, op, first));
}
template <detail::collective_value T, class Op>
[[nodiscard]] future<T> ask_exclusive_scan(team const& members, T const& value, T const& first, Op op,
                                           call_site where = call_site::here()) {
  return detail::start_plan(
      detail::scanning<T, Op, true>({members, detail::says<T>("exclusive_scan"), where}, value, op, first));
}

}  // namespace sheaf
