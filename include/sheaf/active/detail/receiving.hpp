// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "sheaf/active/detail/message_core.hpp"
#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/detail/run_loop.hpp"
#include "sheaf/message/guarded_run.hpp"

/// The receiving side of a message type.
namespace sheaf::detail {

/// The runs of all message types of one value type. Which handler they are for, the object knows. `Grain`: of types
/// whose handlers are concurrent (handler_entry); else 0.
template <class T, std::uint32_t Grain = 0>
struct message_records {
  static_assert(codec_type<T>, "sheaf: the value of a message_type must be a type that can travel (see codec.hpp)");
  using codec = arguments_codec<T>;
  static constexpr type_token object_type = token_of<message_records>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();
  static constexpr bool is_message = true;
  static constexpr bool any_thread = Grain != 0;
  static constexpr std::uint32_t grain = codec::fixed ? Grain : 0;

  static void run(location& here, void* object, execution& state) {
    static_cast<message_target*>(object)->receive(here, state, &discard);
  }
  static void discard(execution& state) {
    if constexpr (!codec::fixed) {
      while (state.at != state.run_end) take_record(state, [](byte_reader& from) { return codec::decode(from); });
    }
  }
};

struct touches_nothing {
  void const* operator()(auto const&) const { return nullptr; }
};

/// A handler, and how it is called for a run; if it is concurrent, on any thread; if it may be called at once, also
/// while a run goes on.
template <class T, class F, class Touches, bool Concurrent = false, bool AtOnce = false>
struct receiving {
  using codec = arguments_codec<T>;
  static constexpr bool takes_value = std::is_invocable_v<F&, T>;
  static_assert(takes_value || std::is_invocable_v<F&, T, std::uint64_t>,
                "sheaf: the handler of a message_type<T> must be callable as f(T), or as f(T, rank of the sender)");
  static_assert(std::is_invocable_r_v<void const*, Touches const&, T const&>,
                "sheaf: what says which memory a handler touches must be callable as f(T const&) -> void const*");

  F handler;
  Touches touches;

  static void destroy(void* self) { delete static_cast<receiving*>(self); }

  static void one(void* self, void* value, std::uint64_t sender) {
    static_cast<receiving*>(self)->call(std::move(*static_cast<T*>(value)), sender);
  }

  static void run(location& here, void* self, execution& state) {
    auto& to = *static_cast<receiving*>(self);
    std::uint64_t sender = 0;
    if constexpr (!takes_value) sender = state.team->members.rank_of(state.source);
    if constexpr (codec::fixed && is_plain() && Concurrent) {
      in_registers(to, [&](auto& local) { local.run_plainly(state, sender); });
    } else if constexpr (codec::fixed && is_plain()) {
      restoring const plainly(here.in_plain_run, true);
      in_registers(to, [&](auto& local) { local.run_plainly(state, sender); });
    } else {
      run_guarded(here, state, [&] {
        each_record<codec, 0>(
            state, [&](std::byte const* later) { to.fetch(later); }, [](auto const&) {},
            [&](T&& value) { to.call(std::move(value), sender); });
      });
    }
  }

 private:
  static constexpr bool is_plain() {
    if constexpr (takes_value) {
      return std::is_nothrow_invocable_v<F&, T>;
    } else {
      return std::is_nothrow_invocable_v<F&, T, std::uint64_t>;
    }
  }

  void call(T&& value, [[maybe_unused]] std::uint64_t sender) {
    if constexpr (takes_value) {
      handler(std::move(value));
    } else {
      handler(std::move(value), sender);
    }
  }

  static constexpr bool fetches = codec::fixed && !std::is_same_v<Touches, touches_nothing>;

  void fetch(std::byte const* later) const {
    if constexpr (fetches) __builtin_prefetch(touches(codec::template load<0>(later)));
  }

  /// Calls do not change it, as its type has it, and a copy is as good.
  template <class Callable, class... Argument>
  static constexpr bool is_constant =
      std::conjunction_v<std::is_trivially_copyable<Callable>, std::is_copy_constructible<Callable>,
                         std::is_invocable<Callable const&, Argument...>, std::bool_constant<sizeof(Callable) <= 64>>;

  /// Calls `work` with a copy of the handler, if that does no harm: what it has captured then stays in registers, since
  /// nothing that it writes can be the copy. `mutable` members that it may have are copied back.
  static void in_registers(receiving& to, auto const& work) {
    if constexpr (!AtOnce && is_constant<Touches, T const&> &&
                  (is_constant<F, T> || is_constant<F, T, std::uint64_t>)) {
      receiving local = to;
      work(local);
      if constexpr (!Concurrent && !std::is_empty_v<F>) std::construct_at(&to.handler, local.handler);
    } else {
      work(to);
    }
  }

  /// Nothing throws, so nobody need know which record it is at.
  void run_plainly(execution& state, std::uint64_t sender) {
    constexpr std::ptrdiff_t each = record_bytes_of<codec>();
    std::byte const* at = std::exchange(state.at, state.run_end);
    std::byte const* const end = state.run_end;
    fetch_first<codec>(at, end, [this](std::byte const* first) { fetch(first); });
    while (at != end) {
      run_part const part = next_part<codec>(at, end);
      std::ptrdiff_t const count = (part.end - at) / each;
      part.lead != 0 ? handle<fetches>(at, count, part.lead, sender) : handle<false>(at, count, 0, sender);
      at = part.end;
    }
  }

  /// No handler writes to the records, so the compiler may keep in registers what it adds up (`__restrict`).
  template <bool Fetches>
  void handle(std::byte const* __restrict from, std::ptrdiff_t count, std::ptrdiff_t lead, std::uint64_t sender) {
    constexpr std::ptrdiff_t each = record_bytes_of<codec>();
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      if constexpr (Fetches) fetch(from + i * each + lead);
      call(codec::template load<0>(from + i * each), sender);
    }
  }
};

}  // namespace sheaf::detail
