// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sheaf/rmi/detail/outcome.hpp"
#include "sheaf/rmi/detail/spreading.hpp"
#include "sheaf/rmi/to_whom.hpp"

namespace sheaf::detail {

template <class W>
concept whom = std::is_same_v<W, to_all_members> || std::is_same_v<W, to_other_members>;

/// A request that each member passes on before it runs the method. Its records begin with the rank of who issued it and
/// the object's number, which the run's header does not tell its handler.
template <class Invoker>
struct broadcast_request {
  using codec = typename with_head<typename Invoker::codec, std::uint32_t, std::uint32_t>::codec;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void* object, execution& state) {
    auto& self = *static_cast<typename Invoker::object*>(object);
    team_state& team = *state.team;
    std::string_view const name = state.handler->name;
    std::uint32_t origin = 0;
    auto const take_all = [&] {
      while (state.at != state.run_end) {
        std::byte const* const from = state.at;
        with_next_record<codec>(state, [&](std::uint32_t issuer, std::uint32_t number, auto&&... a) {
          team_object const passed_on{here, team, number};
          spread(passed_on, issuer, passed_on.tag<broadcast_request>(), std::span(from, state.at), record_bytes);
          origin = issuer;
          Invoker::call(self, std::move(a)...);
        });
      }
    };
    run_catching(state, take_all, [&] { here.keep_exception(team, name, team.members[origin]); });
  }
};

template <class Invoker, class Whom, class T, class... A>
void broadcast(char const* what, handle<T> to, A&&... a) {
  team_object const object = team_object::of(what, to);
  auto const values = converted<Invoker>(std::forward<A>(a)...);
  std::apply(
      [&](auto const&... v) {
        auto const to_itself = [&] {
          if constexpr (Whom::caller_too) {
            using request = async_request<Invoker>;
            outbox& own = *object.team.boxes[object.team.rank];
            put_request<typename request::codec>(object.here, own, object.tag<request>(), v...);
          }
        };
        spread_from_here<broadcast_request<Invoker>>(object, to_itself, object.team.rank, object.number, v...);
      },
      values);
}

template <class Invoker, class Whom, class T, class... A>
void broadcast_in_order(char const* what, handle<T> to, A const&... a) {
  static_assert(whom<Whom>, "sheaf: in_pair_order takes to_all or to_others");
  team_object const object = team_object::of(what, to);
  target const each = target::of(object.here, to);
  for (std::uint32_t rank = 0; rank < object.team.size(); ++rank) {
    if (Whom::caller_too || rank != object.team.rank) each.async<Invoker>(rank, a...);
  }
}

/// Calls `then` with the bytes that the root's arguments are encoded in.
template <class Invoker, class Then, class... A>
decltype(auto) with_roots_arguments(team_object const& object, std::uint32_t root, Then then, A&&... a) {
  using arguments = typename Invoker::codec;
  auto const encode_into = [&](auto get_room) {
    std::apply(
        [&](auto const&... v) {
          std::span<std::byte> const room = get_room(arguments::size(v...));
          byte_writer writer(room.data(), room.data() + room.size());
          arguments::encode(writer, v...);
        },
        converted<Invoker>(std::forward<A>(a)...));
  };
  if constexpr (arguments::fixed && arguments::fixed_size <= 256) {
    std::byte bytes[arguments::fixed_size + 1];  // of no bytes there is no array
    std::span const room(bytes, arguments::fixed_size);
    if (object.team.rank == root) encode_into([&](std::size_t) { return room; });
    broadcast_bytes(object.members(), root, room);
    return then(std::span<std::byte const>(room));
  } else {
    encoded bytes;
    if (object.team.rank == root) {
      encode_into([&](std::size_t size) {
        bytes.resize(size);
        return std::span(bytes);
      });
    }
    broadcast_bytes(object.members(), root, bytes);
    return then(std::span<std::byte const>(bytes));
  }
}

template <class Invoker, class Whom, class T, class... A>
auto collective_broadcast(std::uint32_t root, handle<T> to, A&&... a) {
  using result = typename Invoker::result;
  team_object const object = team_object::of("collective_broadcast_rmi", to);
  auto const call = [&](std::span<std::byte const> bytes) -> result {
    byte_reader reader(bytes);
    return std::apply(
        [&](auto&&... v) { return call_here<Invoker>(object, object.team.members[root], std::move(v)...); },
        Invoker::codec::decode(reader));
  };
  auto const take_part = [&](std::span<std::byte const> bytes) {
    if constexpr (Whom::caller_too) {
      return call(bytes);
    } else if constexpr (std::is_void_v<result>) {
      if (object.team.rank != root) call(bytes);
    } else {
      return object.team.rank == root ? std::optional<result>() : std::optional<result>(call(bytes));
    }
  };
  return with_roots_arguments<Invoker>(object, root, take_part, std::forward<A>(a)...);
}

}  // namespace sheaf::detail
