// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/lent.hpp"
#include "sheaf/rmi/detail/here.hpp"
#include "sheaf/rmi/detail/outside_reply.hpp"
#include "sheaf/rmi/detail/request.hpp"
#include "sheaf/rmi/detail/split_phase.hpp"
#include "sheaf/rmi/detail/what.hpp"
#include "sheaf/rmi/detail/windowed.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

[[noreturn, gnu::cold]] void throw_no_object(packed_call_site from);
[[noreturn, gnu::cold]] void throw_not_of_world(std::uint32_t team, packed_call_site from);
[[noreturn]] void throw_outside_pointer();
[[noreturn, gnu::cold]] void throw_foreign_team(location const& here, std::uint32_t team, packed_call_site from);

/// An object of a team as a location calls it. All public forms of RMI end here.
class target {
 public:
  target(team_state& team, run_tag object) : object_(object), team_(&team) {}

  /// Resolves a handle's tag for `verb`. Throws usage_error where there is no location, or where it is not a member of
  /// the object's team.
  static target of(char const* verb, run_tag object, call_site from) {
    location& here = current(verb, from);
    if (object.object() == 0) [[unlikely]]
      throw_no_object(from);
    team_state* const team = here.registered().find_team(object.team());
    if (team == nullptr) [[unlikely]]
      throw_foreign_team(here, object.team(), from);
    return target(*team, object);
  }

  [[nodiscard]] team_state& members() const { return *team_; }
  [[nodiscard]] std::uint32_t object_number() const { return object_.object(); }

  /// The verbs, each once: on an object of type T, for a `Method` or for what the first of the arguments is.
  template <class T, auto... Method, class... A>
  void async(located<std::uint64_t> dest, A&&... a) const {
    using what = called<T, methods<Method...>, A...>;
    async_as<what>(what::template tag<async_request<typename what::invoker>>(*this, a...), dest, std::forward<A>(a)...);
  }
  /// With a tag that the caller has kept.
  template <class What, class... A>
  void async_as(run_tag tag, located<std::uint64_t> dest, A&&... a) const {
    using invoker = typename What::invoker;
    if constexpr (invoker::at_once) {
      if (void* const own = called_at_once<invoker>(dest.value); own != nullptr)
        return call_at_once<invoker, statement_answer>(own, What::values(std::forward<A>(a)...));
    }
    using codec = typename invoker::codec;
    if constexpr (codec::fixed) {
      outbox& shown = team_->boxes.at(dest.value);
      auto given = What::to_encode(std::forward<A>(a)...);
      if (shown.takes(tag)) [[likely]]
        return std::apply([&](auto const&... v) { encode_next<codec>(shown, v...); }, given);
      auto const put = [&](auto const&... v) {
        put_slowly<codec, copied_if_small<std::decay_t<decltype(v)>>...>(box_for<invoker>(tag, dest), tag, dest.from,
                                                                         v...);
      };
      std::apply(put, own<invoker>(given));
    } else {
      outbox& to = box_for<invoker>(tag, dest);
      auto given = What::to_encode(std::forward<A>(a)...);
      if constexpr (!std::is_same_v<decltype(given), typename invoker::arguments>) {
        if (here().gate() == nullptr && takes_now<codec>(to, tag, given))
          return put_values<codec>(tag, to, dest.from, given);
      }
      put_values<codec>(tag, to, dest.from, own<invoker>(given));
    }
  }

  /// Asynchronous requests that are refused where they would wait.
  template <class T, auto... Method, class... A>
  [[nodiscard]] bool try_async(located<std::uint64_t> dest, A&&... a) const {
    using what = called<T, methods<Method...>, A...>;
    using invoker = typename what::invoker;
    run_tag const tag = what::template tag<async_request<invoker>>(*this, a...);
    if constexpr (invoker::at_once) {
      if (void* const own = called_at_once<invoker>(dest.value); own != nullptr) {
        call_at_once<invoker, statement_answer>(own, what::values(std::forward<A>(a)...));
        return true;
      }
    }
    outbox& to = box_of(dest.value, dest.from);
    if constexpr (called_by_pointer<invoker>) {
      if (to.tag != tag && !here().calls().methods.introduce(here(), to, tag.handler(), false)) return false;
    }
    return std::apply([&](auto const&... v) { return try_put<typename invoker::codec>(here(), to, tag, v...); },
                      what::to_encode(std::forward<A>(a)...));
  }

  template <class T, auto... Method, class R, class... A>
  void ask_into(located<std::uint64_t> dest, window_question<R> const& question, A&&... a) const {
    using what = called<T, methods<Method...>, A...>;
    using invoker = typename what::invoker;
    using request = windowed_request<invoker>;
    run_tag const tag = what::template tag<request>(*this, a...);
    put_question<window_landing<R>, request, invoker>(tag, dest, what::values(std::forward<A>(a)...), question);
  }

  template <class T, auto... Method, class... A>
  auto sync(located<std::uint64_t> dest, A&&... a) const {
    using what = called<T, methods<Method...>, A...>;
    using invoker = typename what::invoker;
    using result = typename invoker::result;
    using request = answered_request<invoker>;
    run_tag const tag = what::template tag<request>(*this, a...);
    if constexpr (invoker::at_once) {
      if (void* const own = called_at_once<invoker>(dest.value); own != nullptr) {
        auto& self = *static_cast<typename invoker::object*>(own);
        if constexpr (invoker::is_coroutine) here().check_may_wait(wait_kind::answer, "sync", dest.from);
        auto const call = [&](auto&&... v) { return call_here<invoker>(here(), self, here().id(), std::move(v)...); };
        auto values = what::values(std::forward<A>(a)...);
        own_lent(values);
        return static_cast<result>(std::apply(call, std::move(values)));
      }
    }
    outbox& to = box_of(dest.value, dest.from);
    admission const inside(here().gate());
    here().check_may_wait(wait_kind::answer, "sync", dest.from);
    if constexpr (called_by_pointer<invoker>) introduce(tag, to, dest.from);
    blocking_reply<result> landing(here().calls().replies);
    auto const put = [&](auto const&... v) {
      put_urgently<typename request::codec>(here(), to, tag, dest.from, landing.token(), v...);
    };
    std::apply(put, what::values(std::forward<A>(a)...));
    std::uint64_t const call = call_number(call_space::blocking, landing.token());
    wait_site const site{"sync", awaited::answer, to.dest, tag, dest.from, call};
    here().wait(wait_kind::answer, site, [&] { return landing.ready(); });
    return landing.take();
  }

  template <class T, auto... Method, class... A>
  auto ask(located<std::uint64_t> dest, A&&... a) const {
    using what = called<T, methods<Method...>, A...>;
    using invoker = typename what::invoker;
    using request = promised_request<invoker>;
    using codec = typename request::codec;
    run_tag const tag = what::template tag<request>(*this, a...);
    if constexpr (codec::fixed && !invoker::at_once) {
      auto given = what::to_encode(std::forward<A>(a)...);
      outbox& shown = team_->boxes.at(dest.value);
      if (!shown.takes(tag)) [[unlikely]] {
        auto const put = [&](auto const&... v) {
          return ask_slowly<request, invoker, copied_if_small<std::decay_t<decltype(v)>>...>(tag, dest.value, dest.from,
                                                                                             v...);
        };
        return std::apply(put, own<invoker>(given));
      }
      // The job is not over, and nobody else may enter the location: else no outbox is shown.
      asking<typename invoker::result> question(here(), *team_);
      std::apply([&](auto const&... v) { encode_next<codec>(shown, v...); }, given);
      *shown.place++ = question.place();
      return question.sent();
    } else {
      auto values = what::values(std::forward<A>(a)...);
      return ask_any<request, invoker>(tag, dest, values);
    }
  }

  /// The tag of requests of one form: for what is named at compile time, and for a method that a pointer names.
  template <class Request>
  [[nodiscard]] run_tag request_tag() const {
    return object_.with_handler(handler_number<Request>);
  }
  [[nodiscard]] run_tag pointer_tag(std::uint32_t handler, method_bits const& method, std::size_t object_bytes) const {
    if (team_->ended) [[unlikely]]
      throw_ended(*team_);
    return object_.with_handler(here().calls().methods.number_for(here(), handler, method, object_bytes));
  }

 private:
  /// The part of ask for an outbox that does not take the record as it is.
  template <class Request, class Invoker, class... V>
  [[gnu::noinline, gnu::cold]] future<typename Invoker::result> ask_slowly(run_tag tag, std::uint64_t dest,
                                                                           packed_call_site from, V... values) const {
    std::tuple<V...> all(static_cast<V&&>(values)...);
    return ask_any<Request, Invoker>(tag, {dest, from}, all);
  }
  template <class Request, class Invoker, class Values>
  future<typename Invoker::result> ask_any(run_tag tag, located<std::uint64_t> const& dest, Values& values) const {
    using result = typename Invoker::result;
    if (team_->ended) [[unlikely]]
      throw_ended(*team_, dest.from);
    if (here().gate() != nullptr && here().by_outsider()) [[unlikely]]
      return ask_outside<Invoker>(dest.value, dest.from, values);
    asking<result> question(here(), *team_);
    put_question<future_landing<result>, Request, Invoker>(tag, dest, values, question);
    return question.sent();
  }
  /// A split-phase request of an attached thread.
  template <class Invoker, class Values>
  [[gnu::cold, gnu::noinline]] future<typename Invoker::result> ask_outside(std::uint64_t dest, packed_call_site from,
                                                                            Values const& values) const {
    if constexpr (called_by_pointer<Invoker>) {
      throw_outside_pointer();
    } else {
      using request = answered_request<Invoker>;
      here().check_may_wait(wait_kind::answer, "ask");
      outbox& to = box_of(dest);
      admission const inside(here().gate());
      run_tag const tag = request_tag<request>();
      auto* const reply = new outside_reply<typename Invoker::result>(here(), *team_, {tag, to.dest});
      try {
        put_values<typename request::codec>(tag, to, from, values, reply->token());
      } catch (...) {
        delete reply;
        throw;
      }
      return future<typename Invoker::result>(reply);
    }
  }

  [[nodiscard]] outbox& box_of(std::uint64_t dest, call_site from = {}) const {
    outbox& known = team_->boxes.at(dest);
    if (&known == &member_boxes::unmet) [[unlikely]]
      return meet_member(*team_, dest, from);
    return known;
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
  /// Puts the question, or has it answered by a call here and now.
  template <class Landing, class Request, class Invoker, class Values, class Question>
  [[gnu::always_inline]] void put_question(run_tag tag, located<std::uint64_t> const& dest, Values&& values,
                                           Question const& question) const {
    if constexpr (Invoker::at_once) {
      if (void* const own = called_at_once<Invoker>(dest.value); own != nullptr) {
        carried_question carried(here(), question.who(), {tag, number(here().id())}, question.place());
        call_at_once<Invoker, late_answer<Landing, true>>(own, values, carried.id());
        return carried.sent();
      }
    }
    using codec = typename Request::codec;
    auto const box = [&]() -> outbox& { return box_for<Invoker>(tag, dest); };
    if constexpr (codec::fixed) {
      outbox& shown = team_->boxes.at(dest.value);
      auto const put = [&](auto const&... v) { put_fixed_question<codec>(shown, box, tag, dest.from, question, v...); };
      std::apply(put, values);
    } else {
      outbox& to = box();
      auto const put = [&](auto const&... v) { put_varying_question<codec>(to, tag, dest.from, question, v...); };
      put_lending(here(), to.dest, values, put);
    }
  }

  template <class Invoker, class Answer, class Values, class... Front>
  void call_at_once(void* own, Values&& values, Front... front) const {
    asked_call const asked{here(), *team_, object_.object(), handler_name<request<Invoker, Answer>>(), here().id()};
    answer_here<Invoker, Answer>(asked, own, values, front...);
  }

  /// The outbox of the destination, which has been told which method the tag's number means. A run with this tag that
  /// is open comes after that.
  template <class Invoker>
  [[nodiscard]] outbox& box_for([[maybe_unused]] run_tag tag, located<std::uint64_t> dest) const {
    outbox& box = box_of(dest.value, dest.from);
    if constexpr (called_by_pointer<Invoker>) introduce(tag, box, dest.from);
    return box;
  }
  void introduce(run_tag tag, outbox& box, call_site from) const {
    if (box.tag != tag) [[unlikely]]
      here().calls().methods.introduce(here(), box, tag.handler(), true, from);
  }

  /// The values, which nobody else can change: copies of those that are the caller's.
  template <class Invoker, class Values>
  static decltype(auto) own(Values& given) {
    if constexpr (std::is_same_v<Values, typename Invoker::arguments>) {
      return std::as_const(given);
    } else {
      return typename Invoker::arguments(std::move(given));
    }
  }

  /// Whether the box has room for the record now, so that nothing is executed before it is encoded.
  template <class Codec, class Values>
  static bool takes_now(outbox const& box, run_tag tag, Values const& values) {
    return std::apply([&](auto const&... v) { return box.takes(tag, Codec::size(v...)); }, values);
  }

  /// `token` is in front of the values, where the request has one.
  template <class Codec, class Tuple, class... Token>
  void put_values(run_tag tag, outbox& to, call_site from, Tuple const& values, Token... token) const {
    auto const write = [&, from](auto const&... v) { put<Codec>(here(), to, tag, from, token..., v...); };
    put_lending(here(), to.dest, values, write);
  }

  [[nodiscard]] location& here() const { return *team_->here; }

  run_tag object_;
  team_state* team_;
};

}  // namespace sheaf::detail
