// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <tuple>
#include <utility>

#include "sheaf/message/byte_reader.hpp"
#include "sheaf/rmi/detail/record.hpp"

/// Records that have come: the one loop over the records of a run.
namespace sheaf::detail {

template <class Codec>
inline constexpr std::size_t arity = 0;
template <class... A>
inline constexpr std::size_t arity<arguments_codec<A...>> = sizeof...(A);

/// The bytes of a run did not decode: never the fault of the caller's data, so the job ends.
[[noreturn]] void throw_undecodable(execution const& state, char const* why);

/// Decodes with `decode(reader)`, moves the cursor behind the record, counts it as begun.
template <class Decode>
auto take_record(execution& state, Decode decode) {
  byte_reader reader(state.at, state.run_end);
  try {
    auto values = decode(reader);
    state.at = state.run_end - reader.remaining();
    ++state.begun;
    return values;
  } catch (ends_job const&) {
    throw;
  } catch (std::exception const& why) {  // a decode_error, or what a user's codec throws
    throw_undecodable(state, why.what());
  } catch (...) {
    throw_undecodable(state, "an unknown exception");
  }
}

/// What stands in front: `open(record, envelope...)` is called with it, and then `call(arguments...)`. `get<I>()` are
/// both, one after the other.
template <std::size_t Envelope, std::size_t All, class Get, class Open, class Call>
[[gnu::always_inline]] inline void give_record(std::byte const* from, std::byte const* end, Get get, Open& open,
                                               Call& call) {
  [&]<std::size_t... E, std::size_t... A>(std::index_sequence<E...>, std::index_sequence<A...>) {
    open(std::span(from, end), get.template operator()<E>()...);
    call(get.template operator()<Envelope + A>()...);
  }
  (std::make_index_sequence<Envelope>{}, std::make_index_sequence<All - Envelope>{});
}

/// Takes the record that the cursor is at, and gives it. Returns where the next one is.
template <class Codec, std::size_t Envelope, class Open, class Call>
[[gnu::always_inline]] inline std::byte const* with_record(execution& state, std::byte const* from, Open& open,
                                                           Call& call) {
  if constexpr (Codec::fixed) {
    std::byte const* const next = state.at = from + record_bytes_of<Codec>();
    __builtin_prefetch(from + lines_ahead);
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

/// The records of a run, one after the other, up to its end, or until a call has executed more of the entry (where it
/// waited). `ahead(at, end)` is called before each. The cursor is kept here: the compiler may not see that a call
/// leaves the location's alone, and would wait for each one's store.
template <class Codec, std::size_t Envelope, class Ahead, class Open, class Call>
[[gnu::always_inline]] inline void each_record(execution& state, Ahead ahead, Open open, Call call) {
  std::byte const* at = state.at;
  std::byte const* const end = state.run_end;
  while (at != end) {
    ahead(at, end);
    at = with_record<Codec, Envelope>(state, at, open, call);
    if (state.at != at) [[unlikely]]
      return;
  }
}
/// Calls `call` with each record of a run of answers, which have no envelope, and none of which waits.
template <class Codec, class Call>
void each_record(execution& state, Call call) {
  auto const no_envelope = [](auto const&) {};
  for (std::byte const* at = state.at; at != state.run_end;) at = with_record<Codec, 0>(state, at, no_envelope, call);
}

/// Calls `take(token, make)` with each record {token, value} of a run of answers. `make()` returns the value, decoded
/// where the caller puts it.
template <class Codec, class Take>
void each_answer(execution& state, Take take) {
  while (state.at != state.run_end) {
    if constexpr (Codec::fixed) {
      std::byte const* const at = std::exchange(state.at, state.at + record_bytes_of<Codec>());
      __builtin_prefetch(at + lines_ahead);
      take(Codec::template load<0>(at), [at] { return Codec::template load<1>(at); });
    } else {
      auto values = take_record(state, [](byte_reader& reader) { return Codec::decode(reader); });
      take(
          std::get<0>(values), [&]() -> auto&& { return std::move(std::get<1>(values)); });
    }
  }
}

/// The distance, in records, at which a method's prefetch companion runs ahead.
constexpr std::ptrdiff_t prefetch_distance = 16;

/// Fetches what a record that comes later in the run will touch, if the method says. Forced inline: g++ takes a
/// function that only prefetches for one without effect.
template <class Invoker, class Codec, std::size_t Envelope, class Callee>
[[gnu::always_inline]] inline void prefetch_ahead(std::byte const* at, std::byte const* end, Callee& object) {
  if constexpr (Invoker::prefetches && Codec::fixed) {
    constexpr auto each = static_cast<std::ptrdiff_t>(record_bytes_of<Codec>());
    if (end - at <= prefetch_distance * each) return;
    std::byte const* const from = at + prefetch_distance * each;
    __builtin_prefetch([&]<std::size_t... I>(std::index_sequence<I...>) {
      return Invoker::place(object, Codec::template load<I + Envelope>(from)...);
    }(std::make_index_sequence<arity<Codec> - Envelope>{}));
  }
}

}  // namespace sheaf::detail
