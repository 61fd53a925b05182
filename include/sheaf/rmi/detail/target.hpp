// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/lent.hpp"
#include "sheaf/rmi/detail/here.hpp"
#include "sheaf/rmi/detail/invoker.hpp"
#include "sheaf/rmi/detail/outside_reply.hpp"
#include "sheaf/rmi/detail/request.hpp"
#include "sheaf/rmi/detail/split_phase.hpp"
#include "sheaf/rmi/detail/windowed.hpp"
#include "sheaf/rmi/handle.hpp"
#include "sheaf/rmi/method_pointer.hpp"

namespace sheaf::detail {

template <class Tuple, class... A>
inline constexpr bool convertible = false;
template <class... P, class... A>
inline constexpr bool convertible<std::tuple<P...>, A...> = (std::is_convertible_v<A&&, P> && ...);

[[noreturn, gnu::cold]] void throw_bad_destination(std::uint64_t dest, team_state const& team,
                                                   packed_call_site from = call_site());
[[noreturn, gnu::cold]] void throw_no_object(packed_call_site from);
[[noreturn]] void throw_outside_pointer();
[[noreturn, gnu::cold]] void throw_foreign_team(location const& here, std::uint32_t team, packed_call_site from);
[[noreturn, gnu::cold]] void throw_ended(team_state const& team, packed_call_site from = call_site());

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

/// The outbox of a member that the team's table does not have. Throws usage_error where the team has no such member.
[[gnu::cold]] outbox& meet_member(team_state& team, std::uint64_t dest, packed_call_site from);

/// An object of a team as a location calls it. All public forms of RMI end here.
class target {
 public:
  target(team_state& team, run_tag object) : object_(object), team_(&team) {}

  /// Resolves a handle. Throws usage_error when the calling location is not a member of the object's team.
  template <class T>
  static target of(location& here, handle<T> object, call_site from) {
    if (!object.valid()) [[unlikely]]
      throw_no_object(from);
    team_state* const team = here.registered().find_team(object.team_id());
    if (team == nullptr) [[unlikely]]
      throw_foreign_team(here, object.team_id(), from);
    return target(*team, object.tag());
  }

  [[nodiscard]] team_state& team() const { return *team_; }

  template <class Invoker, class... A>
  void async(located<std::uint64_t> dest, A&&... a) const {
    async_as<Invoker>(request_tag<async_request<Invoker>>(), dest, std::forward<A>(a)...);
  }

  template <class Invoker, class... A>
  typename Invoker::result sync(located<std::uint64_t> dest, A&&... a) const {
    return sync_as<Invoker>(request_tag<answered_request<Invoker>>(), dest, std::forward<A>(a)...);
  }

  template <class Invoker, asked_kind Kind = asked_kind::member, class... A>
  future<typename Invoker::result> split_phase(located<std::uint64_t> dest, A&&... a) const {
    return split_phase_as<Invoker, Kind>([this] { return request_tag<promised_request<Invoker>>(); }, dest,
                                         std::forward<A>(a)...);
  }

  /// The reply goes to the window and slot of the token.
  template <class Invoker, class... A>
  void windowed(located<std::uint64_t> dest, std::uint32_t token, A&&... a) const {
    windowed_as<Invoker>(request_tag<windowed_request<Invoker>>(), dest, token, std::forward<A>(a)...);
  }

  /// Requests for what the program chose at run time: a pointer to a method of T, or a callable.
  template <class T, class F, class... A>
  void async_call(located<std::uint64_t> dest, F const& f, A&&... a) const {
    if constexpr (std::is_member_pointer_v<F>) {
      using invoker = typename chosen_method<T, F>::invoker;
      async_as<invoker>(pointer_tag<async_request<invoker>, T>(f), dest, std::forward<A>(a)...);
    } else {
      async<callable_invoker<T, F, A...>>(dest, f, std::forward<A>(a)...);
    }
  }
  template <class T, class F, class... A>
  auto sync_call(located<std::uint64_t> dest, F const& f, A&&... a) const {
    if constexpr (std::is_member_pointer_v<F>) {
      using invoker = typename chosen_method<T, F>::invoker;
      return sync_as<invoker>(pointer_tag<answered_request<invoker>, T>(f), dest, std::forward<A>(a)...);
    } else {
      return sync<callable_invoker<T, F, A...>>(dest, f, std::forward<A>(a)...);
    }
  }
  template <class T, asked_kind Kind = asked_kind::member, class F, class... A>
  auto split_phase_call(located<std::uint64_t> dest, F const& f, A&&... a) const {
    if constexpr (std::is_member_pointer_v<F>) {
      using invoker = typename chosen_method<T, F>::invoker;
      run_tag const tag = pointer_tag<promised_request<invoker>, T>(f);
      return split_phase_as<invoker, Kind>([tag] { return tag; }, dest, std::forward<A>(a)...);
    } else {
      return split_phase<callable_invoker<T, F, A...>, Kind>(dest, f, std::forward<A>(a)...);
    }
  }

  /// Asynchronous requests that are refused where they would wait.
  template <class Invoker, class... A>
  [[nodiscard]] bool try_async(std::uint64_t dest, A&&... a) const {
    return try_as<Invoker>(request_tag<async_request<Invoker>>(), dest, std::forward<A>(a)...);
  }
  template <class T, class F, class... A>
  [[nodiscard]] bool try_call(std::uint64_t dest, F const& f, A&&... a) const {
    if constexpr (std::is_member_pointer_v<F>) {
      using invoker = typename chosen_method<T, F>::invoker;
      return try_as<invoker>(pointer_tag<async_request<invoker>, T>(f), dest, std::forward<A>(a)...);
    } else {
      return try_async<callable_invoker<T, F, A...>>(dest, f, std::forward<A>(a)...);
    }
  }

  template <class... A>
  void async_overload(located<std::uint64_t> dest, erased_method const& method, A&&... a) const {
    run_tag const tag = pointer_tag_of(method.handler, method.bits, method.object_bytes);
    put_converted<arguments_codec<std::decay_t<A>...>>(tag, introduced_box(tag, dest), dest.from,
                                                       std::tuple<std::decay_t<A>...>(std::forward<A>(a)...));
  }

  /// The tag of such requests, for callers that keep it.
  template <class Request>
  [[nodiscard]] run_tag request_tag() const {
    return object_.with_handler(handler_number<Request>);
  }
  template <class Request, class T, class M>
  [[nodiscard]] run_tag pointer_tag(M method) const {
    return pointer_tag_of(handler_number<Request>, chosen_method<T, M>::bits(method), sizeof(T));
  }
  [[nodiscard]] run_tag pointer_tag_of(std::uint32_t handler, method_bits const& method, std::size_t size) const {
    if (team_->ended) [[unlikely]]
      throw_ended(*team_);
    return object_.with_handler(here().calls().methods.number_for(here(), handler, method, size));
  }

  template <class Invoker, class... A>
  void async_as(run_tag tag, located<std::uint64_t> dest, A&&... a) const {
    if constexpr (Invoker::at_once) {
      if (void* const own = called_at_once<Invoker>(dest.value); own != nullptr)
        return call_at_once<Invoker, statement_answer>(own, converted<Invoker>(std::forward<A>(a)...));
    }
    put_converted<typename Invoker::codec>(tag, box_for<Invoker>(tag, dest), dest.from,
                                           converted<Invoker>(std::forward<A>(a)...));
  }

  template <class Invoker, class... A>
  [[nodiscard]] bool try_as(run_tag tag, std::uint64_t dest, A&&... a) const {
    if constexpr (Invoker::at_once) {
      if (void* const own = called_at_once<Invoker>(dest); own != nullptr) {
        call_at_once<Invoker, statement_answer>(own, converted<Invoker>(std::forward<A>(a)...));
        return true;
      }
    }
    outbox& to = box_of(dest);
    if constexpr (called_by_pointer<Invoker>) {
      if (to.tag != tag && !here().calls().methods.try_introduce(here(), to, tag.handler())) return false;
    }
    return std::apply([&](auto const&... v) { return try_put<typename Invoker::codec>(here(), to, tag, v...); },
                      converted<Invoker>(std::forward<A>(a)...));
  }

  template <class Invoker, class... A>
  void windowed_as(run_tag tag, located<std::uint64_t> dest, std::uint32_t token, A&&... a) const {
    using request = windowed_request<Invoker>;
    if constexpr (Invoker::at_once) {
      using answer = gathered_answer<window_reply<typename Invoker::result>>;
      if (void* const own = called_at_once<Invoker>(dest.value); own != nullptr)
        return call_at_once<Invoker, answer>(own, converted<Invoker>(std::forward<A>(a)...), token);
    }
    put_with_token<typename request::codec>(tag, box_for<Invoker>(tag, dest), dest.from, token,
                                            converted<Invoker>(std::forward<A>(a)...));
  }

  template <class Invoker, class... A>
  typename Invoker::result sync_as(run_tag tag, located<std::uint64_t> dest, A&&... a) const {
    using request = answered_request<Invoker>;
    using reply = blocking_reply<typename Invoker::result>;
    if constexpr (Invoker::at_once) {
      if (void* const own = called_at_once<Invoker>(dest.value); own != nullptr) {
        auto& self = *static_cast<typename Invoker::object*>(own);
        auto const call = [&](auto&&... v) { return call_here<Invoker>(here(), self, here().id(), std::move(v)...); };
        return std::apply(call, converted<Invoker>(std::forward<A>(a)...));
      }
    }
    outbox& to = box_of(dest.value, dest.from);
    admission const inside(here().gate());
    here().check_may_wait(wait_kind::answer, "sync_rmi", dest.from);
    if constexpr (called_by_pointer<Invoker>) introduce(tag, to, dest.from);
    reply landing(here().calls().replies);
    std::apply(
        [&](auto const&... v) {
          put_urgently<typename request::codec>(here(), to, tag, dest.from, landing.token(), v...);
        },
        converted<Invoker>(std::forward<A>(a)...));
    std::uint64_t const call = call_number(call_space::blocking, landing.token());
    wait_site const site{"sync_rmi", awaited::answer, to.dest, tag, dest.from, call};
    here().wait(wait_kind::answer, site, [&] { return landing.ready(); });
    return landing.take();
  }

  /// `tag()` is called where it is used: that is two instructions less than keeping its result.
  template <class Invoker, asked_kind Kind, class Tag, class... A>
  future<typename Invoker::result> split_phase_as(Tag tag, located<std::uint64_t> dest, A&&... a) const {
    using request = promised_request<Invoker>;
    outbox& to = box_of(dest.value, dest.from);
    if (here().gate() != nullptr && here().by_outsider()) [[unlikely]]
      return split_phase_outside<Invoker, Kind>(dest.value, packed_call_site(dest.from), std::forward<A>(a)...);
    if constexpr (called_by_pointer<Invoker>) introduce(tag(), to, dest.from);
    auto values = converted<Invoker>(std::forward<A>(a)...);
    asking<typename Invoker::result> question(here(), *team_, services_of<request, Kind>, dest.value, object_.object());
    if (!asked_at_once<Invoker>(dest.value, values, question.token()))
      put_with_token<typename request::codec>(tag(), to, dest.from, question.token(), values);
    return question.sent();
  }

 private:
  /// A split-phase request of an attached thread.
  template <class Invoker, asked_kind Kind, class... A>
  [[gnu::cold, gnu::noinline]] future<typename Invoker::result> split_phase_outside(std::uint64_t dest,
                                                                                    packed_call_site from,
                                                                                    A&&... a) const {
    if constexpr (called_by_pointer<Invoker>) {
      throw_outside_pointer();
    } else {
      using request = answered_request<Invoker>;
      here().check_may_wait(wait_kind::answer, "opaque_rmi");
      outbox& to = box_of(dest);
      admission const inside(here().gate());
      auto const& services = services_of<request, Kind, false>;
      auto* const reply = new outside_reply<typename Invoker::result>(here(), *team_, services);
      reply->ask(dest, object_.object());
      try {
        put_with_token<typename request::codec>(request_tag<request>(), to, from, reply->token(),
                                                converted<Invoker>(std::forward<A>(a)...));
      } catch (...) {
        delete reply;
        throw;
      }
      return future<typename Invoker::result>(reply);
    }
  }

  [[nodiscard]] outbox& box_of(std::uint64_t dest, call_site from = {}) const {
    outbox* const known = team_->boxes.find(dest);
    if (known == nullptr) [[unlikely]]
      return meet_member(*team_, dest, from);
    return *known;
  }

  /// The object, where a call of this location's own is to run at once.
  template <class Invoker>
  [[nodiscard]] void* called_at_once([[maybe_unused]] std::uint64_t dest) const {
    if constexpr (Invoker::at_once) {
      bool const own = dest == team_->rank && !object_.is_published() && object_.object() < team_->objects.size();
      if (!own || (here().gate() != nullptr && here().by_outsider())) return nullptr;
      object_entry const& entry = team_->objects[object_.object()];
      if (entry.type == token_of<typename Invoker::object>()) return entry.object;
    }
    return nullptr;
  }
  template <class Invoker, class Values>
  [[nodiscard]] bool asked_at_once([[maybe_unused]] std::uint64_t dest, [[maybe_unused]] Values& values,
                                   [[maybe_unused]] std::uint32_t token) const {
    if constexpr (Invoker::at_once) {
      using answer = gathered_answer<future_reply<typename Invoker::result>>;
      void* const own = called_at_once<Invoker>(dest);
      if (own != nullptr) call_at_once<Invoker, answer>(own, values, token);
      return own != nullptr;
    }
    return false;
  }
  template <class Invoker, class Answer, class Values, class... Token>
  void call_at_once(void* own, Values&& values, Token... token) const {
    asked_call const asked{here(), *team_, object_.object(), handler_name<request<Invoker, Answer>>(), here().id()};
    answer_here<Invoker, Answer>(asked, own, values, token...);
  }

  /// The same, after the destination has been told which method the tag's number means. A run with this tag that is
  /// open comes after that.
  template <class Invoker>
  [[nodiscard]] outbox& box_for([[maybe_unused]] run_tag tag, located<std::uint64_t> dest) const {
    if constexpr (called_by_pointer<Invoker>) {
      return introduced_box(tag, dest);
    } else {
      return box_of(dest.value, dest.from);
    }
  }
  [[nodiscard]] outbox& introduced_box(run_tag tag, located<std::uint64_t> dest) const {
    outbox& box = box_of(dest.value, dest.from);
    introduce(tag, box, dest.from);
    return box;
  }
  void introduce(run_tag tag, outbox& box, call_site from) const {
    if (box.tag != tag) [[unlikely]]
      here().calls().methods.introduce(here(), box, tag.handler(), from);
  }

  template <class Codec, class Tuple>
  void put_converted(run_tag tag, outbox& to, call_site from, Tuple const& values) const {
    auto const write = [&, from](auto const&... v) { put<Codec>(here(), to, tag, from, v...); };
    put_lending(here(), to.dest, values, write);
  }

  template <class Codec, class Tuple>
  void put_with_token(run_tag tag, outbox& to, call_site from, std::uint32_t token, Tuple const& values) const {
    auto const write = [&, from](auto const&... v) { put<Codec>(here(), to, tag, from, token, v...); };
    put_lending(here(), to.dest, values, write);
  }

  [[nodiscard]] location& here() const { return *team_->here; }

  run_tag object_;
  team_state* team_;
};

}  // namespace sheaf::detail
