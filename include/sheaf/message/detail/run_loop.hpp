// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "sheaf/message/byte_reader.hpp"
#include "sheaf/message/detail/record.hpp"

/// The one loop over the records of an arrived run.
namespace sheaf::detail {

template <class Codec>
inline constexpr std::size_t arity = 0;
template <class... A>
inline constexpr std::size_t arity<arguments_codec<A...>> = sizeof...(A);

/// The bytes of a run did not decode: never the fault of the caller's data, so the job ends.
[[noreturn]] void throw_undecodable(execution const& state, char const* why);

/// Decodes with `decode(reader)`, moves the cursor behind the record, counts it as begun.
auto take_record(execution& state, auto decode) {
  byte_reader reader(state.at, state.run_end);
  auto const take = [&] {
    auto values = decode(reader);
    state.at = state.run_end - reader.remaining();
    ++state.begun;
    return values;
  };
  return decode_catching(take, [&](char const* why) { throw_undecodable(state, why); });
}

/// Calls `open(record, envelope...)`, then `call(arguments...)`. `get<I>()`: value I, those of the envelope first.
template <std::size_t Envelope, std::size_t All, class Get, class Open, class Call>
[[gnu::always_inline]] inline void give_record(std::byte const* from, std::byte const* end, Get get, Open& open,
                                               Call& call) {
  [&]<std::size_t... E, std::size_t... A>(std::index_sequence<E...>, std::index_sequence<A...>) {
    open(std::span(from, end), get.template operator()<E>()...);
    call(get.template operator()<Envelope + A>()...);
  }
  (std::make_index_sequence<Envelope>{}, std::make_index_sequence<All - Envelope>{});
}

/// Takes the record at the cursor and calls give_record. Returns the place of the next one.
template <class Codec, std::size_t Envelope, class Open, class Call>
[[gnu::always_inline]] inline std::byte const* with_record(execution& state, std::byte const* from, Open& open,
                                                           Call& call) {
  if constexpr (Codec::fixed) {
    std::byte const* const next = state.at = from + record_bytes_of<Codec>();
    auto const get = [from]<std::size_t I>() { return Codec::template load<I>(from); };
    give_record<Envelope, arity<Codec>>(from, next, get, open, call);
    return next;
  } else {
    auto values = take_record(state, [](byte_reader& reader) { return Codec::decode(reader); });
    std::byte const* const next = state.at;
    auto const get = [&]<std::size_t I>() -> auto&& { return std::move(std::get<I>(values)); };
    give_record<Envelope, arity<Codec>>(from, next, get, open, call);
    return next;
  }
}

/// Asks for the lines of the next `lines_ahead` bytes, up to the end of the run.
void fetch_lines(std::byte const* at, std::byte const* end) noexcept;

/// How many bytes of records a prefetch companion runs ahead: 64 records, which hides the latency of memory, unless
/// they are so large that their own lines would not have come; at least 16.
template <std::ptrdiff_t Each>
inline constexpr std::ptrdiff_t prefetch_lead = [] {
  constexpr std::ptrdiff_t most = lines_ahead * 3 / 4;
  if (most < 16 * Each) return 16 * Each;
  return most < 64 * Each ? most / Each * Each : 64 * Each;
}();

/// A part of a run, up to `end`; `lead` bytes behind each of its records there is another one; 0: behind none.
struct run_part {
  std::byte const* end;
  std::ptrdiff_t lead;
};

/// The part that begins at `at`, of about `lines_ahead` bytes where records are of one size. Asks for the lines of the
/// next one; not once for each record, as g++ takes a prefetch for a call that may throw.
template <class Codec>
[[gnu::always_inline]] inline run_part next_part(std::byte const* at, std::byte const* end) {
  constexpr std::ptrdiff_t each = record_bytes_of<Codec>();
  if constexpr (each == 0) {
    return {end, 0};
  } else {
    constexpr std::ptrdiff_t lead = prefetch_lead<each>;
    constexpr std::ptrdiff_t bytes = each < lines_ahead ? lines_ahead / each * each : each;
    std::ptrdiff_t const left = end - at;
    if (left <= lead) return {end, 0};
    if (left > bytes) fetch_lines(at + bytes, end);
    return {at + (bytes < left - lead ? bytes : left - lead), lead};
  }
}

/// Calls `ahead` with the first records of a run, which next_part's lead leaves out.
template <class Codec>
[[gnu::always_inline]] inline void fetch_first(std::byte const* at, std::byte const* end, auto const& ahead) {
  constexpr std::ptrdiff_t each = record_bytes_of<Codec>();
  if constexpr (each != 0) {
    std::byte const* const last = end - at < prefetch_lead<each> ? end : at + prefetch_lead<each>;
    for (; at != last; at += each) ahead(at);
  }
}

/// The records of a run, one after the other, up to its end, or until a call has executed more of the entry (where it
/// waited). `ahead` is called with each one before, as far before as it may be. The cursor is kept here: the
/// compiler may not see that a call leaves the location's alone, and would wait for each one's store.
template <class Codec, std::size_t Envelope, class Ahead, class Open, class Call>
[[gnu::always_inline]] inline void each_record(execution& state, Ahead ahead, Open open, Call call) {
  std::byte const* at = state.at;
  std::byte const* const end = state.run_end;
  fetch_first<Codec>(at, end, ahead);
  while (at != end) {
    run_part const part = next_part<Codec>(at, end);
    while (at != part.end) {
      if (part.lead != 0) ahead(at + part.lead);
      at = with_record<Codec, Envelope>(state, at, open, call);
      if (state.at != at) [[unlikely]]
        return;
    }
  }
}
/// Calls `call` with each record of a run of answers, which have no envelope, and none of which waits.
template <class Codec, class Call>
void each_record(execution& state, Call call) {
  auto const no_envelope = [](auto const&) {};
  for (std::byte const* at = state.at; at != state.run_end;) at = with_record<Codec, 0>(state, at, no_envelope, call);
}

/// Fetches what the record `from` will touch, if the method says. Forced inline: g++ sees no effect in a prefetch.
template <class Invoker, class Codec, std::size_t Envelope, class Callee>
[[gnu::always_inline]] inline void prefetch_ahead(std::byte const* from, Callee& object) {
  if constexpr (Invoker::prefetches && Codec::fixed) {
    __builtin_prefetch([&]<std::size_t... I>(std::index_sequence<I...>) {
      return Invoker::place(object, Codec::template load<I + Envelope>(from)...);
    }(std::make_index_sequence<arity<Codec> - Envelope>{}));
  }
}

}  // namespace sheaf::detail
