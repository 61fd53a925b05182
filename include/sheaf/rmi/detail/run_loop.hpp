// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/decode_error.hpp"
#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/byte_reader.hpp"
#include "sheaf/message/detail/exactly.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

template <class Codec>
inline constexpr std::size_t arity = 0;
template <class... A>
inline constexpr std::size_t arity<arguments_codec<A...>> = sizeof...(A);

/// Size of each record, or 0 where they vary. A record without arguments takes one byte, so that runs can be counted.
template <class Codec>
constexpr std::uint32_t record_bytes_of() {
  if constexpr (!Codec::fixed) return 0;
  return Codec::fixed_size == 0 ? 1 : static_cast<std::uint32_t>(Codec::fixed_size);
}

/// The bytes of a run did not decode: never the fault of the caller's data, so the job ends.
[[noreturn]] void throw_undecodable(execution const& state, char const* why);

/// Decodes with `decode(reader)`, moves the cursor behind the record, counts it as begun.
template <class Decode>
auto take_record(execution& state, Decode decode) {
  byte_reader reader(std::span(state.at, state.run_end));
  try {
    auto values = decode(reader);
    state.at = state.run_end - reader.remaining();
    ++state.begun;
    return values;
  } catch (std::exception const& why) {  // a decode_error, or what a user's codec throws
    throw_undecodable(state, why.what());
  } catch (...) {
    throw_undecodable(state, "an unknown exception");
  }
}

/// Takes the next record off the run and calls `f` with its arguments.
template <class Codec, class F>
decltype(auto) with_next_record(execution& state, F&& f) {
  if constexpr (Codec::fixed) {
    std::byte const* const from = state.at;
    state.at = from + record_bytes_of<Codec>();
    __builtin_prefetch(from + lines_ahead);
    return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
      return f(Codec::template load<I>(from)...);
    }
    (std::make_index_sequence<arity<Codec>>{});
  } else {
    auto values = take_record(state, [](byte_reader& reader) { return Codec::decode(reader); });
    return std::apply([&](auto&... a) -> decltype(auto) { return f(std::move(a)...); }, values);
  }
}

/// The same for records of fixed size up to the end of the run, or until a call has executed more of the entry (where
/// it waited). For calls of which the compiler does not see that they leave the cursor alone: it would wait for each
/// one's store.
template <class Codec, class F>
void with_next_records(execution& state, F&& f) requires Codec::fixed {
  std::byte const* at = state.at;
  std::byte const* const end = state.run_end;
  while (at != end) {
    std::byte const* const from = at;
    state.at = at = from + record_bytes_of<Codec>();
    __builtin_prefetch(from + lines_ahead);
    [&]<std::size_t... I>(std::index_sequence<I...>) { f(Codec::template load<I>(from)...); }
    (std::make_index_sequence<arity<Codec>>{});
    if (state.at != at) [[unlikely]]
      return;
  }
}

/// One call, caught as those of a run are.
template <class Call, class Failed>
void call_catching(Call call, Failed failed) {
  try {
    call();
  } catch (ends_job const&) {
    throw;
  } catch (...) {
    failed();
  }
}

/// The distance, in records, at which a method's prefetch companion runs ahead.
constexpr std::ptrdiff_t prefetch_distance = 16;

/// Fetches what a record that comes later in the run will touch, if the method says. `Skip` arguments in front are the
/// library's. Forced inline: g++ takes a function that only prefetches for one without effect.
template <class Invoker, class Codec, std::size_t Skip, class Callee>
[[gnu::always_inline]] inline void prefetch_ahead(execution const& state, Callee& object) {
  if constexpr (Invoker::prefetches && Codec::fixed) {
    constexpr auto each = static_cast<std::ptrdiff_t>(record_bytes_of<Codec>());
    if (state.run_end - state.at <= prefetch_distance * each) return;
    std::byte const* const from = state.at + prefetch_distance * each;
    __builtin_prefetch([&]<std::size_t... I>(std::index_sequence<I...>) {
      return Invoker::place(object, Codec::template load<I + Skip>(from)...);
    }(std::make_index_sequence<arity<Codec> - Skip>{}));
  }
}

/// Has `encode(writer)` fill the record that `box` gave last. Where it throws, or a user's part of it (`Outside`) does
/// not write what its size() said, the record is taken back: nothing of it is sent.
template <bool Outside, class Encode>
void fill_record(location& here, outbox& box, std::byte* at, std::size_t bytes, Encode encode) {
  try {
    write_exactly<Outside>({at, bytes}, encode);
  } catch (...) {
    here.retract(box, bytes);
    throw;
  }
}

/// Room for one record. While a place is made, others' requests may run, and may change what the values' pointers lead
/// to: then it is measured anew.
template <class Codec, class... A>
std::span<std::byte> make_room(location& here, outbox& box, run_tag tag, call_site from, A const&... values) {
  while (true) {
    std::size_t const bytes = Codec::size(values...);
    [[maybe_unused]] bool const at_once = box.takes(tag, bytes);
    std::byte* const at = here.append_varying_request(box, tag, bytes, from);
    if constexpr (Codec::outside) {
      if (!at_once && Codec::size(values...) != bytes) [[unlikely]] {
        here.retract(box, bytes);
        continue;
      }
    }
    return {at, bytes};
  }
}

/// The part of put_fixed for an outbox that does not take the record as it is. Apart, with values of its own, so that
/// what loops over requests keeps all in registers.
template <class Codec, traffic Kind, class... A>
[[gnu::noinline, gnu::cold]] void put_slowly(location& here, outbox& box, run_tag tag, packed_call_site from,
                                             A... values) {
  constexpr std::uint32_t bytes = record_bytes_of<Codec>();
  admission const inside(here.gate());
  Codec::encode(here.append_slowly(box, Kind, tag, bytes, bytes, from), values...);
}

/// Writes one record of fixed size of the run `tag` into the outbox. `from` is said where it has to wait for room.
template <class Codec, traffic Kind, class... A>
requires Codec::fixed [[gnu::always_inline]] inline void put_fixed(location& here, outbox& box, run_tag tag,
                                                                   call_site from, A const&... values) {
  if (!box.takes(tag)) [[unlikely]]
    return put_slowly<Codec, Kind, A...>(here, box, tag, from, values...);
  Codec::encode(box.next(record_bytes_of<Codec>()), values...);
}

/// The same of any size. If a user's codec throws, nothing is sent.
template <class Codec, class... A>
void put_request(location& here, outbox& box, run_tag tag, call_site from, A const&... values) {
  if constexpr (Codec::fixed) {
    put_fixed<Codec, traffic::request>(here, box, tag, from, values...);
  } else {
    admission const inside(here.gate());
    std::span<std::byte> const to = make_room<Codec>(here, box, tag, from, values...);
    fill_record<Codec::outside>(here, box, to.data(), to.size(),
                                [&](byte_writer& writer) { Codec::encode(writer, values...); });
  }
}

/// The same without waiting; false: there is no credit for it.
template <class Codec, class... A>
bool try_put_request(location& here, outbox& box, run_tag tag, A const&... values) {
  constexpr std::uint32_t each = record_bytes_of<Codec>();
  std::size_t const bytes = each != 0 ? each : Codec::size(values...);
  admission const inside(here.gate());
  std::byte* const to = here.try_append_request(box, tag, bytes, each);
  if (to == nullptr) return false;
  if constexpr (Codec::fixed) {
    Codec::encode(to, values...);
  } else {
    fill_record<Codec::outside>(here, box, to, bytes, [&](byte_writer& writer) { Codec::encode(writer, values...); });
  }
  return true;
}

}  // namespace sheaf::detail
