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
      : here_(&here), boxes_(team.boxes.data()), size_(team.size()), object_(object), team_(&team) {}

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

  [[nodiscard]] team_state& team() const { return *team_; }

  template <class Invoker, class... A>
  void async(std::uint64_t dest, A&&... a) const {
    async_as<Invoker>(async_tag<Invoker>(), dest, std::forward<A>(a)...);
  }

  /// The same with a tag that the caller keeps.
  template <class Invoker>
  [[nodiscard]] run_tag async_tag() const {
    return request_tag<async_request<Invoker>>();
  }
  template <class Invoker, class... A>
  void async_as(run_tag tag, std::uint64_t dest, A&&... a) const {
    put_converted<typename Invoker::codec>(tag, box_of(dest), converted<Invoker>(std::forward<A>(a)...));
  }

  /// The reply goes to the window and slot of the token.
  template <class Invoker, class... A>
  void windowed(std::uint64_t dest, std::uint32_t token, A&&... a) const {
    using request = windowed_request<Invoker>;
    put_with_token<typename request::codec>(request_tag<request>(), box_of(dest), token,
                                            converted<Invoker>(std::forward<A>(a)...));
  }

  template <class Invoker, class... A>
  typename Invoker::result sync(std::uint64_t dest, A&&... a) const {
    using request = answered_request<Invoker>;
    using reply = blocking_reply<typename Invoker::result>;
    outbox& to = box_of(dest);
    here_->check_may_wait(wait_kind::answer, "sync_rmi");
    reply landing(here_->replies());
    send_now<typename request::codec>(request_tag<request>(), to, landing.token(),
                                      converted<Invoker>(std::forward<A>(a)...));
    here_->wait(wait_kind::answer, [&] { return landing.ready(); });
    return landing.take();
  }

  template <class Invoker, class... A>
  future<typename Invoker::result> split_phase(std::uint64_t dest, A&&... a) const {
    using request = promised_request<Invoker>;
    outbox& to = box_of(dest);
    auto const values = converted<Invoker>(std::forward<A>(a)...);
    auto* const state = make_future_state<typename Invoker::result>(*here_);
    future<typename Invoker::result> asked(state);
    put_with_token<typename request::codec>(request_tag<request>(), to, cell_pool::token_of(state), values);
    expect_reply(*state, *team_);  // a request that could not be put awaits nothing
    return asked;
  }

 private:
  [[nodiscard]] outbox& box_of(std::uint64_t dest) const {
    if (dest >= size_) [[unlikely]]
      throw_bad_destination(dest, *team_);
    return *boxes_[dest];
  }

  template <class Codec, class Tuple>
  void put_converted(run_tag tag, outbox& to, Tuple const& values) const {
    std::apply([&](auto const&... v) { put_request<Codec>(*here_, to, tag, v...); }, values);
  }

  template <class Request>
  [[nodiscard]] run_tag request_tag() const {
    return object_.with_handler(handler_number<Request>);
  }

  template <class Codec, class Tuple>
  void put_with_token(run_tag tag, outbox& to, std::uint32_t token, Tuple const& values) const {
    std::apply([&](auto const&... v) { put_request<Codec>(*here_, to, tag, token, v...); }, values);
  }

  template <class Codec, class Tuple>
  void send_now(run_tag tag, outbox& to, std::uint32_t token, Tuple const& values) const {
    if constexpr (Codec::fixed && Codec::fixed_size <= 256) {
      std::array<std::byte, run_header::wire_bytes + Codec::fixed_size> entry;
      std::apply([&](auto const&... v) { Codec::encode(entry.data() + run_header::wire_bytes, token, v...); }, values);
      here_->send_urgent(here_->dest_of(to), traffic::request, tag, entry);
    } else {
      put_with_token<Codec>(tag, to, token, values);
      here_->flush(here_->dest_of(to), traffic::request);
    }
  }

  location* here_;
  outbox* const* boxes_;  // by rank
  std::uint64_t size_;
  run_tag object_;
  team_state* team_;
};

}  // namespace sheaf::detail
