// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstdint>

#include "sheaf/rmi/detail/invoker.hpp"
#include "sheaf/rmi/detail/request.hpp"
#include "sheaf/rmi/detail/split_phase.hpp"
#include "sheaf/rmi/detail/windowed.hpp"
#include "sheaf/rmi/handle.hpp"

namespace sheaf::detail {

template <class Tuple, class... A>
inline constexpr bool convertible = false;
template <class... P, class... A>
inline constexpr bool convertible<std::tuple<P...>, A...> = (std::is_convertible_v<A&&, P> && ...);

[[noreturn]] void throw_bad_destination(std::uint64_t dest, team_state const& team);
[[noreturn]] void throw_no_object();
[[noreturn]] void throw_foreign_team(location const& here, std::uint32_t team);

/// The arguments as the method's parameters take them. Conversions are those that a direct call would make.
template <class Invoker, class... A>
typename Invoker::arguments converted(A&&... a) {
  constexpr bool right_number = sizeof...(A) == std::tuple_size_v<typename Invoker::arguments>;
  static_assert(right_number, "sheaf: a remote call has the wrong number of arguments for its method");
  if constexpr (right_number) {
    static_assert(convertible<typename Invoker::arguments, A...>,
                  "sheaf: an argument of a remote call does not convert to the parameter of its method");
    if constexpr (convertible<typename Invoker::arguments, A...>)
      return typename Invoker::arguments(std::forward<A>(a)...);
  }
}

/// An object of a team as a location calls it. All public forms of RMI end here.
class target {
 public:
  target(location& here, team_state& team, run_tag object)
      : here_(&here), members_(team.members.data()), size_(team.size()), object_(object), team_(&team) {}

  /// Resolves a handle. Throws usage_error when the calling location is not a member of the object's team.
  template <class T>
  static target of(location& here, handle<T> object) {
    if (!object.valid()) [[unlikely]]
      throw_no_object();
    team_state* const team = here.find_team(object.team_id());
    if (team == nullptr) [[unlikely]]
      throw_foreign_team(here, object.team_id());
    return target(here, *team, object.tag());
  }

  template <class Invoker, class... A>
  void async(std::uint64_t dest, A&&... a) const {
    run_tag const tag = object_.with_handler(handler_number<async_request<Invoker>>);
    put_converted<typename Invoker::codec>(tag, member(dest), converted<Invoker>(std::forward<A>(a)...));
  }

  /// The reply goes to the window and slot of the token.
  template <class Invoker, class... A>
  void windowed(std::uint64_t dest, std::uint32_t token, A&&... a) const {
    using request = windowed_request<Invoker>;
    std::uint32_t const to = member(dest);
    std::apply(
        [&](auto const&... v) {
          put_request<typename request::codec>(*here_, to, object_.with_handler(handler_number<request>), token, v...);
        },
        converted<Invoker>(std::forward<A>(a)...));
  }

  template <class Invoker, class... A>
  typename Invoker::result sync(std::uint64_t dest, A&&... a) const {
    using request = answered_request<Invoker>;
    using reply = blocking_reply<typename Invoker::result>;
    std::uint32_t const to = member(dest);
    here_->check_may_wait(wait_kind::answer, "sync_rmi");
    reply landing(here_->replies());
    send_now<typename request::codec>(object_.with_handler(handler_number<request>), to,
                                      landing.token | reply_table::urgent_bit,
                                      converted<Invoker>(std::forward<A>(a)...));
    here_->wait(wait_kind::answer, [&] { return landing.result.ready(); });
    return landing.result.take();
  }

  template <class Invoker, class... A>
  future<typename Invoker::result> split_phase(std::uint64_t dest, A&&... a) const {
    using request = answered_request<Invoker>;
    using result = typename Invoker::result;
    std::uint32_t const to = member(dest);
    auto const values = converted<Invoker>(std::forward<A>(a)...);
    auto* const state = make_future_state<result>(*here_, *team_);
    std::uint32_t const token = here_->replies().add(&fill_future<result>, state);
    std::apply(
        [&](auto const&... v) {
          put_request<typename request::codec>(*here_, to, object_.with_handler(handler_number<request>), token, v...);
        },
        values);
    return future<result>(state);
  }

 private:
  std::uint32_t member(std::uint64_t dest) const {
    if (dest >= size_) [[unlikely]]
      throw_bad_destination(dest, *team_);
    return number(members_[dest]);
  }

  template <class Codec, class Tuple>
  void put_converted(run_tag tag, std::uint32_t dest, Tuple const& values) const {
    std::apply([&](auto const&... v) { put_request<Codec>(*here_, dest, tag, v...); }, values);
  }

  template <class Codec, class Tuple>
  void send_now(run_tag tag, std::uint32_t dest, std::uint32_t token, Tuple const& values) const {
    if constexpr (Codec::fixed && Codec::fixed_size <= 256) {
      std::array<std::byte, run_header::wire_bytes + Codec::fixed_size> entry;
      std::apply([&](auto const&... v) { Codec::encode(entry.data() + run_header::wire_bytes, token, v...); }, values);
      here_->send_urgent(dest, traffic::request, tag, entry);
    } else {
      std::apply([&](auto const&... v) { put_request<Codec>(*here_, dest, tag, token, v...); }, values);
      here_->flush(dest, traffic::request);
    }
  }

  location* here_;
  location_id const* members_;
  std::uint64_t size_;
  run_tag object_;
  team_state* team_;
};

}  // namespace sheaf::detail
