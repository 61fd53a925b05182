// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/blocking_reply.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/location.hpp"

/// A record on its way out. It is an envelope, which the library writes (nothing, a token, who issued it, where it goes
/// on to), and behind that the arguments (docs/design/calls.md).
namespace sheaf::detail {

[[noreturn, gnu::cold]] void throw_bad_destination(std::uint64_t dest, team_state const& team,
                                                   packed_call_site from = call_site());
[[noreturn, gnu::cold]] void throw_ended(team_state const& team, packed_call_site from = call_site());

/// The outbox of a member that the team's table does not have. Throws usage_error where the team has no such member.
[[gnu::cold]] outbox& meet_member(team_state& team, std::uint64_t dest, packed_call_site from);

template <class Envelope, class Arguments>
struct enveloped;
template <class... E, class... A>
struct enveloped<arguments_codec<E...>, arguments_codec<A...>> {
  using codec = arguments_codec<E..., A...>;
};

/// Size of each record, or 0 where they vary. A record without arguments takes one byte, so that runs can be counted.
template <class Codec>
constexpr std::uint32_t record_bytes_of() {
  if constexpr (!Codec::fixed) return 0;
  return Codec::fixed_size == 0 ? 1 : static_cast<std::uint32_t>(Codec::fixed_size);
}

/// Has `encode(writer)` fill the record that `box` gave last. Where it throws, or a user's part of it (`Outside`) does
/// not write what its size() said, the record is taken back: nothing of it is sent.
template <bool Outside, class Encode>
void fill_record(outbox& box, std::span<std::byte> room, Encode encode) {
  try {
    write_exactly<Outside>(room, encode);
  } catch (...) {
    box.retract(room.size());
    throw;
  }
}

/// Whether the values still have so many bytes; else, or where a user's part throws, the record is taken back.
template <class Codec, class... A>
bool measures(outbox& box, std::size_t bytes, A const&... values) {
  try {
    if (Codec::size(values...) == bytes) return true;
  } catch (...) {
    box.retract(bytes);
    throw;
  }
  box.retract(bytes);
  return false;
}

/// Room for one record of a run whose records vary; `who` asks, if it is a question. While a place is made, others'
/// requests may run, and may change what the values' pointers lead to: then it is measured anew.
template <class Codec, class... A>
std::span<std::byte> make_room(outbox& box, run_tag tag, call_site from, asker const* who, A const&... values) {
  while (true) {
    std::size_t const bytes = Codec::size(values...);
    [[maybe_unused]] bool const at_once = who == nullptr && box.takes(tag, bytes);
    std::byte* const at =
        who == nullptr ? box.append_varying(tag, bytes, from) : box.append_slowly({tag, bytes, 0, who}, from);
    if constexpr (Codec::outside) {
      if (!at_once && !measures<Codec>(box, bytes, values...)) [[unlikely]]
        continue;
    }
    return {at, bytes};
  }
}

/// How a value that nobody else can change goes to put_slowly: small ones by copy, so that their addresses are not
/// taken and a loop over requests keeps them in registers.
template <class A>
using copied_if_small = std::conditional_t<sizeof(A) <= 64, A, A const&>;

/// The part of put_fixed for an outbox that does not take the record as it is. Takes the values by copy: others'
/// requests may run before they are encoded; and a loop over requests keeps them in registers, as no address is taken.
template <class Codec, class... A>
[[gnu::noinline, gnu::cold]] void put_slowly(outbox& box, run_tag tag, packed_call_site from, A... values) {
  constexpr std::uint32_t bytes = record_bytes_of<Codec>();
  location& here = box.home();
  if (here.gate() == nullptr) [[likely]]
    return static_cast<void>(Codec::encode(box.append_slowly({tag, bytes, bytes}, from), values...));
  if constexpr (Codec::outside) {
    admission const inside(here.gate());
    Codec::encode(box.append_slowly({tag, bytes, bytes}, from), values...);
  } else {
    placed const room(here, box, {tag, bytes, bytes}, from);
    Codec::encode(room.at(), values...);
  }
}

/// Writes the next record of the open run, which takes it.
template <class Codec, class... A>
[[gnu::always_inline]] inline void encode_next(outbox& box, A const&... values) {
  Codec::encode(box.next(record_bytes_of<Codec>()), values...);
}

/// Writes one record of fixed size of the run `tag` into the outbox. `from` is said where it has to wait for room.
template <class Codec, class... A>
requires Codec::fixed [[gnu::always_inline]] inline void put_fixed(outbox& box, run_tag tag, call_site from,
                                                                   A const&... values) {
  if (!box.takes(tag)) [[unlikely]]
    return put_slowly<Codec, copied_if_small<A>...>(box, tag, from, values...);
  encode_next<Codec>(box, values...);
}

/// The part of put_varying for a location that others may enter.
template <class Codec, class... A>
[[gnu::noinline, gnu::cold]] void put_among_others(location& here, outbox& box, run_tag tag, packed_call_site from,
                                                   A const&... values) {
  std::size_t const bytes = Codec::size(values...);
  placed const room(here, box, {tag, bytes}, from);
  fill_record<false>(box, {room.at(), bytes}, [&](byte_writer& to) { Codec::encode(to, values...); });
}

/// Writes one record of a run whose records vary in size. If a user's codec throws, nothing is sent.
template <class Codec, class... A>
void put_varying(location& here, outbox& box, run_tag tag, call_site from, A const&... values) {
  if constexpr (!Codec::outside) {
    if (here.gate() != nullptr) [[unlikely]]
      return put_among_others<Codec>(here, box, tag, from, values...);
  }
  admission const inside(here.gate());
  std::span<std::byte> const room = make_room<Codec>(box, tag, from, nullptr, values...);
  fill_record<Codec::outside>(box, room, [&](byte_writer& to) { Codec::encode(to, values...); });
}

/// Writes one record of a run, of fixed size or not.
template <class Codec, class... A>
void put(location& here, outbox& box, run_tag tag, call_site from, A const&... values) {
  if constexpr (Codec::fixed) {
    put_fixed<Codec>(box, tag, from, values...);
  } else {
    put_varying<Codec>(here, box, tag, from, values...);
  }
}

template <class Codec, class... A>
[[gnu::noinline, gnu::cold]] void put_question_slowly(outbox& box, run_tag tag, packed_call_site from, asker who,
                                                      std::uintptr_t place, A... values) {
  constexpr std::uint32_t bytes = record_bytes_of<Codec>();
  admission const inside(box.home().gate());
  Codec::encode(box.append_slowly({tag, bytes, bytes, &who}, from), values...);
  *box.filled().place++ = place;
}

/// Writes the record of a question, of fixed size. Called by the location's own thread. `shown` takes no record, or is
/// `box()`. `Question` tells `who()` asks and the `place()` of the answer; one of a window (`windowed`) has `window`.
template <class Codec, class Box, class Question, class... A>
[[gnu::always_inline]] inline void put_fixed_question(outbox& shown, Box box, run_tag tag, call_site from,
                                                      Question const& question, A const&... values) {
  bool takes = shown.takes(tag);
  if constexpr (Question::windowed) takes = takes && shown.window == question.window;
  if (!takes) [[unlikely]]
    return put_question_slowly<Codec, copied_if_small<A>...>(box(), tag, from, question.who(), question.place(),
                                                             values...);
  encode_next<Codec>(shown, values...);
  *shown.place++ = question.place();
}

template <class Codec, class Question, class... A>
void put_varying_question(outbox& box, run_tag tag, call_site from, Question const& question, A const&... values) {
  admission const inside(box.home().gate());
  asker const who = question.who();
  std::span<std::byte> const room = make_room<Codec>(box, tag, from, &who, values...);
  fill_record<Codec::outside>(box, room, [&](byte_writer& to) { Codec::encode(to, values...); });
  *box.filled().place++ = question.place();
}

/// Writes one record of a request without waiting; false: there is no credit for it.
template <class Codec, class... A>
bool try_put(location& here, outbox& box, run_tag tag, A const&... values) {
  constexpr std::uint32_t each = record_bytes_of<Codec>();
  std::size_t const bytes = each != 0 ? each : Codec::size(values...);
  admission const inside(here.gate());
  std::byte* const to = box.try_append(tag, bytes, each);
  if (to == nullptr) return false;
  if constexpr (Codec::fixed) {
    Codec::encode(to, values...);
  } else {
    fill_record<Codec::outside>(box, {to, bytes}, [&](byte_writer& writer) { Codec::encode(writer, values...); });
  }
  return true;
}

/// Sends a record at once, behind what the pair has been given.
template <class Codec, class... A>
void put_urgently(location& here, outbox& box, run_tag tag, call_site from, A const&... values) {
  if constexpr (Codec::fixed && Codec::fixed_size <= most_on_stack) {
    std::array<std::byte, run_header::wire_bytes + Codec::fixed_size> entry;
    Codec::encode(entry.data() + run_header::wire_bytes, values...);
    box.send_urgent(tag, entry, from);
  } else if constexpr (!Codec::outside) {
    std::size_t const bytes = Codec::size(values...);
    admission const inside(here.gate());
    auto const fill = [&](std::byte* to) {
      byte_writer writer(to, to + bytes);
      Codec::encode(writer, values...);
    };
    box.send_at_once(tag, bytes, fill, from);
  } else {
    admission const inside(here.gate());
    put<Codec>(here, box, tag, from, values...);
    box.flush();
  }
}

/// Puts a record that is encoded already, as it came or as it is sent to several; `record_bytes` is 0 where records of
/// its run vary in size.
void put_encoded(location& here, outbox& box, run_tag tag, std::span<std::byte const> record,
                 std::uint32_t record_bytes);

}  // namespace sheaf::detail
