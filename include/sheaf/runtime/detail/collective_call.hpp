// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/runtime/team.hpp"

/// What collective operations are made of: calls, encoded values, operations on them.
namespace sheaf::detail {

/// What must be equal in all members' calls of a collective operation.
struct collective_said {
  char const* what;           ///< the function; a literal
  std::string_view values{};  ///< the type of what it is about, from the compiler; empty: of no values
  std::uint32_t mark = 0;     ///< differs if these differ, except in one case of 2^32
};

/// FNV-1a. Continues from `mark`.
constexpr std::uint32_t mark_of(std::string_view text, std::uint32_t mark = 0x811c9dc5U) {
  for (char const c : text) mark = (mark ^ static_cast<unsigned char>(c)) * 0x01000193U;
  return mark;
}

consteval collective_said says(char const* what) { return {what, {}, mark_of(what)}; }

/// For an operation on values of type T. Types of one name in several files differ only if their sizes do.
template <class T>
consteval collective_said says(char const* what) {
  std::string_view const values = handler_name<T>();
  return {what, values, mark_of(values, mark_of(what)) + static_cast<std::uint32_t>(sizeof(T))};
}

/// Who takes part, what all calls must have in common, and this call's place in the program.
struct collective_call {
  team members;
  collective_said said;
  call_site from{};
  std::optional<std::uint64_t> root{};
  std::uint32_t scope = 0;  ///< not 0: a fence of this scope of the team
  bool is_beside = false;   ///< it goes on while its caller does something else
  detection how{};          ///< of that fence
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

/// The operations on values. With a root, a reduction and the like are for that member only.
enum class collective_kind : std::uint8_t { barrier, broadcast, reduce, scan, exchange, fence };

/// An operation's encoded values: before it this member's own, after it the result.
struct collective_values {
  encoded one{};
  std::vector<encoded> each{};  ///< of an exchange: one for each member, then one from each
};

/// Calls f(context), which applies the operation behind the messages: what that throws ends the job.
void apply_behind(collective_call const& call, void (*f)(void*), void* context);
template <class F>
void apply_behind(collective_call const& call, F f) {
  apply_behind(
      call, [](void* of) { (*static_cast<F*>(of))(); }, &f);
}

void carry_out(collective_call const& call, collective_kind kind, collective_values& values, encoded_operation op);

/// Throws usage_error where the caller may not call it now, or there is no such root.
void check_may_call(collective_call const& call);
/// Throws usage_error, too, unless there is one value for each member.
void check_one_for_each(collective_call const& call, std::size_t values);
/// Ends the job where spans differ in their number of elements.
void check_equal_lengths(collective_call const& call, std::size_t some, std::size_t others);

struct fence_value;

/// An operation that goes on while its caller does something else.
struct begun_call {
  begun_call() = default;
  virtual ~begun_call() = default;
  begun_call& operator=(begun_call&&) = delete;
  [[nodiscard]] virtual collective_values& values() = 0;
  [[nodiscard]] virtual encoded_operation operation() const = 0;
  /// What a fence reduces; null: nothing. It gets the errors of all members as its value, if there are any.
  [[nodiscard]] virtual fence_value* fenced() = 0;
  /// The values are there. Once.
  virtual void end() = 0;
};
/// Begins a checked call. Owns `owned`, made by new, and ends it with the location at the latest.
void begin(collective_call const& call, collective_kind kind, begun_call* owned);

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
consteval void check_operation() {
  static_assert(std::is_invocable_r_v<T, Op const&, T, T>,
                "sheaf: the operation of a collective call comes after the values, and must be const-callable as "
                "op(T, T) -> T, such as std::plus<>{}");
}

template <class T, class Op>
encoded_operation operation_on(Op const& op) {
  check_operation<T, Op>();
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

/// An operation on the elements of spans, which travel as their memory image. A plan has `call` and `op`.
template <class Plan>
encoded_operation elementwise_on(Plan const& plan) {
  check_operation<typename Plan::element, decltype(plan.op)>();
  auto const combine = [](void const* of, encoded& mine, encoded_operation::bytes left,
                          encoded_operation::bytes right) {
    using element = typename Plan::element;
    auto const& by = *static_cast<Plan const*>(of);
    check_equal_lengths(by.call, left.size() / sizeof(element), right.size() / sizeof(element));
    for (std::size_t at = 0; at < left.size(); at += sizeof(element)) {
      element const both = by.op(from_image<element>(left.data() + at), from_image<element>(right.data() + at));
      std::memcpy(mine.data() + at, static_cast<void const*>(&both), sizeof(element));
    }
  };
  return {combine, &plan};
}

}  // namespace sheaf::detail
