// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

namespace detail {

/// What all members must say alike when they call a collective operation.
struct collective_said {
  char const* what;           ///< the function; a literal
  std::string_view values{};  ///< the type of what it is about, from the compiler; empty: of no values
  std::uint32_t mark = 0;     ///< differs where these differ, but for one case in 2^32
};

/// FNV-1a. Continues from `mark`.
constexpr std::uint32_t mark_of(std::string_view text, std::uint32_t mark = 0x811c9dc5U) {
  for (char const c : text) mark = (mark ^ static_cast<unsigned char>(c)) * 0x01000193U;
  return mark;
}

consteval collective_said says(char const* what) { return {what, {}, mark_of(what)}; }

/// One of values of type T. Types of one name in several source files differ by their size at least.
template <class T>
consteval collective_said says(char const* what) {
  std::string_view const values = handler_name<T>();
  return {what, values, mark_of(values, mark_of(what)) + static_cast<std::uint32_t>(sizeof(T))};
}

/// Who is to take part, what they must all say, and where the program says so.
struct collective_call {
  static constexpr std::uint32_t no_root = ~std::uint32_t{0};

  team const& members;
  collective_said said;
  call_site from{};
  std::uint32_t root = no_root;
  std::uint32_t object = 0;  ///< not 0: `values` names a handler, which is called on this object of the members
  std::uint32_t scope = 0;   ///< not 0: a fence of this scope of the team
};

using encoded = std::vector<std::byte>;

/// The bytes from `first` on. Functions, since a span that is made of a vector takes long to compile.
std::span<std::byte> room_of(encoded& bytes, std::size_t first = 0);
std::span<std::byte const> bytes_of(encoded const& bytes, std::size_t first = 0);

/// An associative operation on encoded values.
struct encoded_operation {
  using bytes = std::span<std::byte const>;

  /// `mine` becomes op(left, right). It is one of the two, whole, and the other does not overlap it.
  void (*combine)(void const* op, encoded& mine, bytes left, bytes right);
  void const* op;

  /// What the operation throws ends the job.
  void add_behind(encoded& mine, bytes theirs) const { add(mine, bytes_of(mine), theirs); }
  void add_before(encoded& mine, bytes theirs) const { add(mine, theirs, bytes_of(mine)); }

 private:
  void add(encoded& mine, bytes left, bytes right) const;
};

// Whether the call names a root decides between forms with one and without.
void broadcast_bytes(collective_call const& call, encoded& value);
/// Broadcasts a value whose size all members know.
void broadcast_room(collective_call const& call, std::span<std::byte> value);
/// With a root for that one's value only; what is left of the others' says nothing.
void reduce_bytes(collective_call const& call, encoded& value, encoded_operation op);
/// `values` has one for each member, and then one of each.
void exchange_bytes(collective_call const& call, std::vector<encoded>& values);
/// The sum of the members before this one replaces `value`; false on rank 0, which has none before it.
bool scan_bytes(collective_call const& call, encoded& value, encoded_operation op);

/// What `then` makes of the bytes of the root's values: there `give(write)` is called, which calls write(values...).
template <class Codec, class Give, class Then>
decltype(auto) broadcast_values(collective_call const& call, Give give, Then then) {
  bool const is_root = call.members.rank() == call.root;
  auto const write = [](std::span<std::byte> room, auto const&... v) {
    write_exactly<Codec::outside>(room, [&](byte_writer& to) { Codec::encode(to, v...); });
  };
  if constexpr (Codec::fixed && Codec::fixed_size <= 256) {
    std::byte bytes[Codec::fixed_size + 1] = {};  // of no bytes there is no array
    std::span const room(bytes, Codec::fixed_size);
    if (is_root) give([&](auto const&... v) { write(room, v...); });
    broadcast_room(call, room);
    return then(std::span<std::byte const>(room));
  } else {
    encoded bytes;
    auto const write_all = [&](auto const&... v) {
      bytes.resize(Codec::size(v...));
      write(room_of(bytes), v...);
    };
    if (is_root) give(write_all);
    broadcast_bytes(call, bytes);
    return then(bytes_of(bytes));
  }
}

/// Where a location's collectives live; called when it starts and ends.
void make_collectives(location& here);
void destroy_collectives(location& here);

/// Writes T where there is room for exactly its bytes.
template <class T>
void encode_to(std::span<std::byte> room, T const& value) {
  write_exactly<reach_of<T>.outside>(room, [&](byte_writer& to) { codec<T>::encode(to, value); });
}

template <class T>
encoded encode(T const& value) {
  encoded bytes(codec<T>::size(value));
  encode_to(room_of(bytes), value);
  return bytes;
}

/// The bytes of a collective operation did not decode: never the fault of the caller's data, so the job ends.
[[noreturn]] void throw_undecodable_value(char const* why);

/// What `read(byte_reader&)` makes of all the bytes. Where they are no such value, `fail(why)` throws.
template <class Read, class Fail = void (*)(char const*)>
auto decode_whole(std::span<std::byte const> bytes, Read read, Fail fail = &throw_undecodable_value) {
  byte_reader from(bytes);
  auto const read_all = [&] {
    auto value = read(from);
    if (from.remaining() != 0) throw decode_error(std::to_string(from.remaining()) + " bytes are left");
    return value;
  };
  return decode_catching(read_all, fail);
}

template <class T>
T decode(std::span<std::byte const> bytes) {
  return decode_whole(bytes, [](byte_reader& from) { return codec<T>::decode(from); });
}

template <class T, class Op>
encoded_operation operation_on(Op const& op) {
  auto const combine = [](void const* by, encoded& mine, encoded_operation::bytes left,
                          encoded_operation::bytes right) {
    T const both = (*static_cast<Op const*>(by))(decode<T>(left), decode<T>(right));
    if constexpr (fixed_size<T>) {
      encode_to(room_of(mine), both);
    } else {
      mine = encode<T>(both);
    }
  };
  return {combine, &op};
}

void append_encoded(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right);

template <class T>
std::vector<T> decode_all(std::span<std::byte const> bytes, std::size_t count) {
  return decode_whole(bytes, [count](byte_reader& from) {
    std::vector<T> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.push_back(codec<T>::decode(from));
    return all;
  });
}

/// Every member's value, by rank; on the root only, if the call names one.
template <class T>
std::vector<T> gather_from_all(collective_call const& call, T const& value) {
  encoded bytes = encode<T>(value);
  reduce_bytes(call, bytes, {&append_encoded, nullptr});
  if (call.root != call.no_root && call.root != call.members.rank()) return {};
  return decode_all<T>(bytes_of(bytes), call.members.size());
}

/// Value r to member r; returns what came, by rank.
template <class T>
std::vector<encoded> exchange(collective_call const& call, std::vector<T> const& values) {
  std::vector<encoded> bytes;
  bytes.reserve(values.size());
  for (T const& value : values) bytes.push_back(encode<T>(value));
  exchange_bytes(call, bytes);
  return bytes;
}

}  // namespace detail

// Collective operations: all members of the team call the same ones in the same order, with values of the same type and
// the same root, in the program (usage_error in a remotely invoked method). Members that do not end the job: the text
// names both calls. Others' requests are executed meanwhile. Requests issued before are not waited for: that is
// fence. Values are of any codec type and any size. `op` is associative, const-callable as op(T, T) -> T
// and applied in the order of ranks, so it need not commute; all members get the same bits. Complete here on return.
// Cost: log2 n messages per member, one after another (scan, and where the fence is a tree: two per member, over a
// tree in 2·log n steps), unless another is named.

/// Returns on no member before all have called it. One message to and from about log2 n members, at once.
void barrier(team const& members, call_site where = call_site::here());

/// The root's value, on every member; the others' is ignored. One message per member. The root does not wait for the
/// others, but does not run ahead of them by more than a few calls either.
template <codec_type T>
T broadcast(team const& members, std::uint32_t root, T const& value, call_site where = call_site::here()) {
  detail::collective_call const call{members, detail::says<T>("broadcast"), where, root};
  auto const give = [&](auto write) { write(value); };
  return detail::broadcast_values<arguments_codec<T>>(call, give, &detail::decode<T>);
}

/// op(…op(value of rank 0, value of rank 1)…), on every member.
template <codec_type T, class Op>
T all_reduce(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  detail::encoded bytes = detail::encode<T>(value);
  detail::reduce_bytes({members, detail::says<T>("all_reduce"), where}, bytes, detail::operation_on<T>(op));
  return detail::decode<T>(detail::bytes_of(bytes));
}

/// Every member's value, by rank.
template <codec_type T>
std::vector<T> all_gather(team const& members, T const& value, call_site where = call_site::here()) {
  return detail::gather_from_all({members, detail::says<T>("all_gather"), where}, value);
}

/// op(…op(value of rank 0, value of rank 1)…) on the root; on the others what they gave. One message per member, up a
/// tree. Who is not the root does not wait for it, but does not run ahead of it by more than a few calls.
template <codec_type T, class Op>
T reduce(team const& members, std::uint32_t root, T const& value, Op op, call_site where = call_site::here()) {
  detail::encoded bytes = detail::encode<T>(value);
  detail::reduce_bytes({members, detail::says<T>("reduce"), where, root}, bytes, detail::operation_on<T>(op));
  return members.rank() == root ? detail::decode<T>(detail::bytes_of(bytes)) : value;
}

/// Every member's value, by rank, on the root; nothing on the others. Values may differ in size. As reduce.
template <codec_type T>
std::vector<T> gather(team const& members, std::uint32_t root, T const& value, call_site where = call_site::here()) {
  return detail::gather_from_all({members, detail::says<T>("gather"), where, root}, value);
}

/// Gives value r to member r; returns what the members have given to this one, by rank. For several values per member
/// let T be a vector, of any length each. A message from each to each, at once (hybrid: from process to process, of all
/// their values). Throws usage_error, before anything is sent, when there is not one value per member.
template <codec_type T>
std::vector<T> all_to_all(team const& members, std::vector<T> const& values, call_site where = call_site::here()) {
  auto const bytes = detail::exchange({members, detail::says<T>("all_to_all"), where}, values);
  std::vector<T> all;
  all.reserve(bytes.size());
  for (auto const& one : bytes) all.push_back(detail::decode<T>(detail::bytes_of(one)));
  return all;
}

/// As all_to_all, but member r gets the values for r put together by op in the order of ranks.
template <codec_type T, class Op>
T reduce_scatter(team const& members, std::vector<T> const& values, Op op, call_site where = call_site::here()) {
  auto bytes = detail::exchange({members, detail::says<T>("reduce_scatter"), where}, values);
  for (std::size_t i = 1; i < bytes.size(); ++i) detail::operation_on<T>(op).add_behind(bytes[0], bytes[i]);
  return detail::decode<T>(detail::bytes_of(bytes[0]));
}

/// The values of ranks 0…rank(), this one's included, put together by op.
template <codec_type T, class Op>
T scan(team const& members, T const& value, Op op, call_site where = call_site::here()) {
  detail::encoded before = detail::encode<T>(value);
  detail::collective_call const call{members, detail::says<T>("scan"), where};
  if (!detail::scan_bytes(call, before, detail::operation_on<T>(op))) return value;
  return op(detail::decode<T>(detail::bytes_of(before)), value);
}

/// The values of ranks 0…rank()−1 put together by op, after `first`; on rank 0 `first`.
template <codec_type T, class Op>
T exclusive_scan(team const& members, T const& value, T const& first, Op op, call_site where = call_site::here()) {
  detail::encoded before = detail::encode<T>(value);
  detail::collective_call const call{members, detail::says<T>("exclusive_scan"), where};
  if (!detail::scan_bytes(call, before, detail::operation_on<T>(op))) return first;
  return op(first, detail::decode<T>(detail::bytes_of(before)));
}

inline void barrier(call_site where = call_site::here()) { barrier(world(where), where); }
auto broadcast(std::uint32_t root, codec_type auto const& value, call_site where = call_site::here()) {
  return broadcast(world(where), root, value, where);
}
auto all_reduce(codec_type auto const& value, auto op, call_site where = call_site::here()) {
  return all_reduce(world(where), value, op, where);
}
auto all_gather(codec_type auto const& value, call_site where = call_site::here()) {
  return all_gather(world(where), value, where);
}
auto reduce(std::uint32_t root, codec_type auto const& value, auto op, call_site where = call_site::here()) {
  return reduce(world(where), root, value, op, where);
}
auto gather(std::uint32_t root, codec_type auto const& value, call_site where = call_site::here()) {
  return gather(world(where), root, value, where);
}
template <codec_type T>
std::vector<T> all_to_all(std::vector<T> const& values, call_site where = call_site::here()) {
  return all_to_all(world(where), values, where);
}
template <codec_type T, class Op>
T reduce_scatter(std::vector<T> const& values, Op op, call_site where = call_site::here()) {
  return reduce_scatter(world(where), values, op, where);
}
auto scan(codec_type auto const& value, auto op, call_site where = call_site::here()) {
  return scan(world(where), value, op, where);
}
template <codec_type T, class Op>
T exclusive_scan(T const& value, T const& first, Op op, call_site where = call_site::here()) {
  return exclusive_scan(world(where), value, first, op, where);
}

}  // namespace sheaf
