// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "sheaf/async/future.hpp"
#include "sheaf/memory/detail/parts.hpp"

namespace sheaf {

// One-sided transfers (ARMCI 2.1). The target takes no part: it may compute, or sleep. Any location calls them, in the
// program and in remote methods; they execute no requests. Within a host a transfer is a copy by the caller, over when
// it returns, and costs no message.
//
// The remote part is a global_ptr<T> (as many elements as there are here) or a section of one; the local part a section
// of a T*, what converts to a span of T, or one T. Both have as many elements, else usage_error, in any two shapes.
// Nothing is copied to a temporary of its size.
//
//   put, accumulate          return when the local memory may be used again; done there by the next fence(location)
//   get                      returns with the values
//   ask_put, ask_get, …      return a future at once, which is ready when all is done, there and here; the local memory
//                            must stay until then
//   async_get                returns at once; the values are here, and the local memory must stay, until the next fence
//                            of that location
//
// Those of one location to one target take effect in the order of the calls, of whatever form and shape. A request that
// is issued after a put sees what it has put. Throws usage_error where the location does not exist or the pointer is
// null, and job_aborted once the job has failed.

namespace detail {

/// Ready when all that this location has issued for that one is done, there and here.
[[nodiscard]] future<void> done_at(one_sided& by, location_id where);

template <class R, class L>
one_sided& start_put(R const& to, L const& from, char const* what, call_site where) {
  using T = remote_element<R>;
  static_assert(!std::is_const_v<T>, "sheaf::put: the global pointer points to const elements");
  auto const local = local_part<T const>(from);
  auto const remote = remote_side<R>::part(to, count_of(local));
  one_sided& by = one_sided::current(what, where);
  with_call_site(where, [&] { by.put(remote_side<R>::where(to), remote.strided(), local.strided()); });
  return by;
}

template <class R, class L>
one_sided& start_get(R const& from, L&& to, char const* what, call_site where) {
  auto const local = local_part<std::remove_const_t<remote_element<R>>>(to);
  auto const remote = remote_side<R>::part(from, count_of(local));
  one_sided& by = one_sided::current(what, where);
  with_call_site(where, [&] { by.async_get(remote_side<R>::where(from), remote.strided(), local.strided()); });
  return by;
}

template <class R, class L>
one_sided& start_sum(R const& to, L const& from, remote_element<R> const& scale, char const* what, call_site where) {
  using T = remote_element<R>;
  static_assert(!std::is_const_v<T>, "sheaf::accumulate: the global pointer points to const elements");
  static_assert(
      accumulated<T>,
      "sheaf::accumulate: elements are integers of 32 or 64 bits, float, double, or std::complex of the last two");
  auto const local = local_part<T const>(from);
  auto const remote = remote_side<R>::part(to, count_of(local));
  one_sided& by = one_sided::current(what, where);
  with_call_site(where, [&] {
    by.accumulate(remote_side<R>::where(to), kind_of<T>(), remote.strided(), local.strided(),
                  scale == T{1} ? nullptr : &scale);
  });
  return by;
}

}  // namespace detail

/// Stores values at the target.
template <detail::remote_part R, detail::local_source<detail::remote_element<R>> L>
void put(R const& to, L const& from, call_site where = call_site::here()) {
  detail::start_put(to, from, "put", where);
}
template <detail::remote_part R, detail::local_source<detail::remote_element<R>> L>
[[nodiscard]] future<void> ask_put(R const& to, L const& from, call_site where = call_site::here()) {
  return detail::done_at(detail::start_put(to, from, "ask_put", where), detail::remote_side<R>::where(to));
}
/// Pieces: as a put of each, in order, in fewer messages.
template <detail::piece_range Pieces>
void put(Pieces const& pieces, call_site where = call_site::here()) {
  detail::one_sided::gathering const together(detail::one_sided::current("put", where));
  for (auto const& one : pieces) put(one.remote, std::span(one.local, one.count), where);
}

/// Loads values from the target.
template <detail::remote_part R, detail::local_target<detail::remote_element<R>> L>
void get(R const& from, L&& to, call_site where = call_site::here()) {
  detail::start_get(from, to, "get", where).arrive(detail::remote_side<R>::where(from));
}
template <class T>
[[nodiscard]] std::remove_const_t<T> get(global_ptr<T> from, call_site where = call_site::here()) {
  std::remove_const_t<T> value;
  get(from, std::span(&value, 1), where);
  return value;
}
template <detail::remote_part R, detail::local_target<detail::remote_element<R>> L>
[[nodiscard]] future<void> ask_get(R const& from, L&& to, call_site where = call_site::here()) {
  return detail::done_at(detail::start_get(from, to, "ask_get", where), detail::remote_side<R>::where(from));
}
template <detail::remote_part R, detail::local_target<detail::remote_element<R>> L>
void async_get(R const& from, L&& to, call_site where = call_site::here()) {
  detail::start_get(from, to, "async_get", where);
}
/// Pieces: as a get of each, in fewer messages.
template <detail::piece_range Pieces>
void get(Pieces const& pieces, call_site where = call_site::here()) {
  detail::one_sided& by = detail::one_sided::current("get", where);
  {
    detail::one_sided::gathering const together(by);
    for (auto const& one : pieces) async_get(one.remote, std::span(one.local, one.count), where);
  }
  for (auto const& one : pieces) by.arrive(one.remote.where());
}

/// Adds scale times the values to those at the target: x += a·y, atomically for each element among all accumulates of
/// this element type, those that integers also take part in as words of fetch_add included. Integers wrap around; sums
/// of floating-point numbers depend on the order of arrival in their last bits.
template <detail::remote_part R, detail::local_source<detail::remote_element<R>> L>
void accumulate(R const& to, L const& from, detail::remote_element<R> const& scale = detail::remote_element<R>{1},
                call_site where = call_site::here()) {
  detail::start_sum(to, from, scale, "accumulate", where);
}
template <detail::remote_part R, detail::local_source<detail::remote_element<R>> L>
[[nodiscard]] future<void> ask_accumulate(R const& to, L const& from,
                                          detail::remote_element<R> const& scale = detail::remote_element<R>{1},
                                          call_site where = call_site::here()) {
  return detail::done_at(detail::start_sum(to, from, scale, "ask_accumulate", where),
                         detail::remote_side<R>::where(to));
}
/// Pieces: as an accumulate of each, in order, in fewer messages.
template <detail::piece_range Pieces>
void accumulate(Pieces const& pieces, detail::piece_element<Pieces> const& scale = detail::piece_element<Pieces>{1},
                call_site where = call_site::here()) {
  detail::one_sided::gathering const together(detail::one_sided::current("accumulate", where));
  for (auto const& one : pieces) accumulate(one.remote, std::span(one.local, one.count), scale, where);
}

/// Returns when all that this location has put, accumulated and asked for at that location is done, there and here:
/// everybody sees it. One instruction within a host; else it waits for an acknowledgement, which is on its way already.
/// (ARMCI_Fence.)
inline void fence(location_id target, call_site where = call_site::here()) {
  detail::with_call_site(where, [&] { detail::one_sided::current("fence", where).fence(target); });
}
/// For all locations. (ARMCI_AllFence.)
inline void fence_all(call_site where = call_site::here()) {
  detail::one_sided::current("fence_all", where).fence_all();
}

}  // namespace sheaf
