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
// the same root, in the program (usage_error in a remotely invoked method). Members that do not end the job: the text
// names both calls. Others' requests are executed meanwhile. Requests issued before are not waited for: that is what
// fence does. Values are of any codec type and any size. `op` is associative, const-callable as op(T, T) -> T (one of
// std's function objects, for example) and applied in the order of ranks, so it need not commute; all members get the
// same bits. Cost: log2 n messages per member, one after another (scan, and where the fence is a tree: two per member,
// over a tree in 2·log n steps), unless another is named.
//
// Each has a split-phase form, ask_X, with the same arguments, for the program, too: not for methods, continuations or
// coroutines that have suspended. It returns a future at once, and goes on while the program executes requests: in its
// calls and waits. Members may mix both forms of one operation. A fence of the team
// waits for the futures. At most 64 operations of a team are open; the next one waits for the first. What the call
// refers to by a span must stay until the future is ready.
//
// Forms with a span work on its elements, one by one, which travel as their memory image (trivially copyable, no
// pointers). All members give spans of one length, unless said otherwise, else the job ends.

/// Returns on no member before all have called it. One message to and from about log2 n members, at once.
void barrier(team const& members, call_site where = call_site::here());
[[nodiscard]] future<void> ask_barrier(team const& members, call_site where = call_site::here());

/// The root's value, on every member; the others' is ignored. One message per member. The root does not wait for the
/// others, but does not run ahead of them by more than 64 calls either.
template <codec_type T>
T broadcast(team const& members, std::uint64_t root, T const& value, call_site where = call_site::here()) {
  return detail::run_plan(detail::broadcasting<T>({members, detail::says<T>("broadcast"), where, root}, value));
}
template <codec_type T>
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
template <codec_type T, class Op>
T all_reduce(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  return detail::run_plan(detail::reducing_plan<T, Op>({members, detail::says<T>("all_reduce"), where}, value, op));
}
template <codec_type T, class Op>
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

/// op(…op(value of rank 0, value of rank 1)…) on the root; on the others what they gave. One message per member, up a
/// tree. Who is not the root does not wait for it, but does not run ahead of it by more than 64 calls.
template <codec_type T, class Op>
T reduce(team const& members, std::uint64_t root, T const& value, Op op, call_site where = call_site::here()) {
  return detail::run_plan(detail::reducing_plan<T, Op>({members, detail::says<T>("reduce"), where, root}, value, op));
}
template <codec_type T, class Op>
[[nodiscard]] future<T> ask_reduce(team const& members, std::uint64_t root, T const& value, Op op,
                                   call_site where = call_site::here()) {
  return detail::start_plan(detail::reducing_plan<T, Op>({members, detail::says<T>("reduce"), where, root}, value, op));
}
/// In place on the root; the others' spans stay.
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
template <codec_type T>
std::vector<T> all_gather(team const& members, T const& value, call_site where = call_site::here()) {
  return detail::run_plan(detail::gathering<T>({members, detail::says<T>("all_gather"), where}, value));
}
template <codec_type T>
[[nodiscard]] future<std::vector<T>> ask_all_gather(team const& members, T const& value,
                                                    call_site where = call_site::here()) {
  return detail::start_plan(detail::gathering<T>({members, detail::says<T>("all_gather"), where}, value));
}
/// Every member's elements, one behind the other by rank. Spans may differ in length.
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

/// Every member's value, by rank, on the root; nothing on the others. Values may differ in size. As reduce.
template <codec_type T>
std::vector<T> gather(team const& members, std::uint64_t root, T const& value, call_site where = call_site::here()) {
  return detail::run_plan(detail::gathering<T>({members, detail::says<T>("gather"), where, root}, value));
}
template <codec_type T>
[[nodiscard]] future<std::vector<T>> ask_gather(team const& members, std::uint64_t root, T const& value,
                                                call_site where = call_site::here()) {
  return detail::start_plan(detail::gathering<T>({members, detail::says<T>("gather"), where, root}, value));
}
/// Every member's elements, one behind the other by rank, on the root. Spans may differ in length.
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

/// Gives value r to member r; returns what the members have given to this one, by rank. For several values per member
/// let T be a vector, of any length each. A message from each to each, at once (hybrid: from process to process, of all
/// their values). Throws usage_error, before anything is sent, when there is not one value per member.
template <codec_type T>
std::vector<T> all_to_all(team const& members, std::vector<T> const& values, call_site where = call_site::here()) {
  return detail::run_plan(detail::exchanging<T>({members, detail::says<T>("all_to_all"), where}, values));
}
template <codec_type T>
[[nodiscard]] future<std::vector<T>> ask_all_to_all(team const& members, std::vector<T> const& values,
                                                    call_site where = call_site::here()) {
  return detail::start_plan(detail::exchanging<T>({members, detail::says<T>("all_to_all"), where}, values));
}

/// As all_to_all, but member r gets the values for r put together by op in the order of ranks.
template <codec_type T, class Op>
T reduce_scatter(team const& members, std::vector<T> const& values, Op op, call_site where = call_site::here()) {
  return detail::run_plan(
      detail::reducing_parts<T, Op>({members, detail::says<T>("reduce_scatter"), where}, values, op));
}
template <codec_type T, class Op>
[[nodiscard]] future<T> ask_reduce_scatter(team const& members, std::vector<T> const& values, Op op,
                                           call_site where = call_site::here()) {
  return detail::start_plan(
      detail::reducing_parts<T, Op>({members, detail::says<T>("reduce_scatter"), where}, values, op));
}

/// The values of ranks 0…rank(), this one's included, put together by op.
template <codec_type T, class Op>
T scan(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  return detail::run_plan(detail::scanning<T, Op>({members, detail::says<T>("scan"), where}, value, op));
}
template <codec_type T, class Op>
[[nodiscard]] future<T> ask_scan(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  return detail::start_plan(detail::scanning<T, Op>({members, detail::says<T>("scan"), where}, value, op));
}

/// The values of ranks 0…rank()−1 put together by op, after `first`; on rank 0 `first`.
template <codec_type T, class Op>
T exclusive_scan(team const& members, T const& value, T const& first, Op op, call_site where = call_site::here()) {
  return detail::run_plan(
      detail::scanning<T, Op, true>({members, detail::says<T>("exclusive_scan"), where}, value, op, first));
}
template <codec_type T, class Op>
[[nodiscard]] future<T> ask_exclusive_scan(team const& members, T const& value, T const& first, Op op,
                                           call_site where = call_site::here()) {
  return detail::start_plan(
      detail::scanning<T, Op, true>({members, detail::says<T>("exclusive_scan"), where}, value, op, first));
}

}  // namespace sheaf
