// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/message/codec.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

namespace detail {

using encoded = std::vector<std::byte>;

/// An associative operation on encoded values: left = op(left, right).
struct encoded_operation {
  void (*combine)(void const* op, encoded& left, std::span<std::byte const> right);
  void const* op;
};

void broadcast_bytes(team const& members, std::uint32_t root, encoded& value);
void reduce_bytes(team const& members, encoded& value, encoded_operation op);
/// The sum of the members before this one replaces `value`; false on rank 0, which has none before it.
bool scan_bytes(team const& members, encoded& value, encoded_operation op);

/// Where a location's collectives live; called when it starts and ends.
void make_collectives(location& here);
void destroy_collectives(location& here);

template <class T>
encoded encode(T const& value) {
  encoded bytes(codec<T>::size(value));
  byte_writer to(bytes.data(), bytes.data() + bytes.size());
  codec<T>::encode(to, value);
  return bytes;
}

template <class T>
T decode(std::span<std::byte const> bytes) {
  byte_reader from(bytes);
  return codec<T>::decode(from);
}

template <class T, class Op>
void combine_encoded(void const* op, encoded& left, std::span<std::byte const> right) {
  Op const& apply = *static_cast<Op const*>(op);
  left = encode<T>(apply(decode<T>(left), decode<T>(right)));
}

template <class T, class Op>
encoded_operation operation_on(Op const& op) {
  return {&combine_encoded<T, Op>, &op};
}

void append_encoded(void const*, encoded& left, std::span<std::byte const> right);

}  // namespace detail

// Collective operations: all members of the team call the same ones in the same order, in the program (usage_error in a
// remotely invoked method); others' requests are executed meanwhile. Requests issued before are not waited for: that is
// rmi_fence. Values are of any codec type, of up to 4 GiB each. `op` is associative, const-callable as op(T, T) -> T
// and applied in the order of ranks, so it need not commute. Complete here on return. Cost: two messages per member and
// 2·log n steps over a tree, unless another is named.

/// Returns on no member before all have called it. One message to and from about log2 n members, at once.
void barrier(team const& members);

/// The root's value, on every member; the others' is ignored. One message per member. The root does not wait for the
/// others, but does not run ahead of them by more than a few calls either.
template <codec_type T>
T broadcast(team const& members, std::uint32_t root, T const& value) {
  detail::encoded bytes;
  if (members.rank() == root) bytes = detail::encode<T>(value);
  detail::broadcast_bytes(members, root, bytes);
  return detail::decode<T>(bytes);
}

/// op(…op(value of rank 0, value of rank 1)…), on every member.
template <codec_type T, class Op>
T all_reduce(team const& members, T const& value, Op op) {
  detail::encoded bytes = detail::encode<T>(value);
  detail::reduce_bytes(members, bytes, detail::operation_on<T>(op));
  return detail::decode<T>(bytes);
}

/// Every member's value, by rank.
template <codec_type T>
std::vector<T> all_gather(team const& members, T const& value) {
  detail::encoded bytes = detail::encode<T>(value);
  detail::reduce_bytes(members, bytes, {&detail::append_encoded, nullptr});
  byte_reader from(bytes);
  std::vector<T> all;
  all.reserve(members.size());
  for (std::uint32_t i = 0; i < members.size(); ++i) all.push_back(codec<T>::decode(from));
  return all;
}

/// The values of ranks 0…rank(), this one's included, put together by op.
template <codec_type T, class Op>
T scan(team const& members, T const& value, Op op) {
  detail::encoded before = detail::encode<T>(value);
  if (!detail::scan_bytes(members, before, detail::operation_on<T>(op))) return value;
  return op(detail::decode<T>(before), value);
}

/// The values of ranks 0…rank()−1 put together by op, after `first`; on rank 0 `first`.
template <codec_type T, class Op>
T exclusive_scan(team const& members, T const& value, T const& first, Op op) {
  detail::encoded before = detail::encode<T>(value);
  if (!detail::scan_bytes(members, before, detail::operation_on<T>(op))) return first;
  return op(first, detail::decode<T>(before));
}

/// The same for the world.
inline void barrier() { barrier(world()); }
template <codec_type T>
T broadcast(std::uint32_t root, T const& value) {
  return broadcast(world(), root, value);
}
template <codec_type T, class Op>
T all_reduce(T const& value, Op op) {
  return all_reduce(world(), value, op);
}
template <codec_type T>
std::vector<T> all_gather(T const& value) {
  return all_gather(world(), value);
}
template <codec_type T, class Op>
T scan(T const& value, Op op) {
  return scan(world(), value, op);
}
template <codec_type T, class Op>
T exclusive_scan(T const& value, T const& first, Op op) {
  return exclusive_scan(world(), value, first, op);
}

}  // namespace sheaf
