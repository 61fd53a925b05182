// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/active/detail/message_core.hpp"
#include "sheaf/active/detail/receiving.hpp"
#include "sheaf/active/detail/stages.hpp"
#include "sheaf/active/policies.hpp"
#include "sheaf/base/call_site.hpp"
#include "sheaf/message/detail/record.hpp"
#include "sheaf/message/lent.hpp"

namespace sheaf {

/// A type of active messages (AM++ §3.1): values of type T that are sent to members of a team, where a handler is
/// called with each. All members create their message types in the same order, outside of epochs. It sends nothing
/// itself. The handler may differ from member to member.
///
/// `handler(value)` or `handler(value, rank of the sender)` is called on its location's thread, one message at a time;
/// it may send anything, allocate, wait as a remotely invoked method may, and throw (the end of the epoch reports it).
/// Exception: a run of messages for a noexcept handler is one plain loop, which the compiler may vectorize, and calls a
/// copy of the handler if that is small, trivially copyable and const. Such a handler must not wait (usage_error, which
/// ends the program).
///
/// Messages are sent in epochs of the team (epoch.hpp). They start in the order issued, as all requests of a pair do,
/// unless a policy says otherwise. When the object is destroyed, its epochs have ended.
///
/// Policies (policies.hpp): unordered, sent_by, routed, coalescing, parallel, addressed, each once, and those with
/// a `stage`. Their parameters follow the handler.
template <class T, class... Policy>
class message_type {
  static_assert(std::is_same_v<T, std::remove_cvref_t<T>> && std::is_object_v<T>,
                "sheaf: the T of a message_type<T> is a type of values, without const or &");
  using records = detail::message_records<T, detail::grain_of<Policy...>>;
  static_assert(
      ((std::is_same_v<Policy, unordered> || std::is_same_v<Policy, routed> || std::is_same_v<Policy, coalescing> ||
        detail::is_sent_by<Policy> || detail::grain_of<Policy> != 0 || detail::addresses<Policy, T> ||
        detail::staged<Policy, T>)&&...),
      "sheaf: a policy of a message_type<T> is unordered, sent_by, routed, coalescing, parallel, addressed with a "
      "partition of T, or a class with a class template stage<T> (sheaf/active/policies.hpp)");
  static_assert((detail::has_whole_stage<Policy, T>() && ...),
                "sheaf: the stage<T> of a policy lacks a member, or is not made from its policy "
                "(sheaf/active/policies.hpp has the list)");
  static_assert(((detail::staged<Policy, T> || detail::is_once<Policy, Policy...>)&&...) &&
                    (detail::addresses<Policy, T> + ... + 0) <= 1 && ((detail::grain_of<Policy> != 0) + ... + 0) <= 1 &&
                    (detail::is_sent_by<Policy> + ... + 0) <= 1,
                "sheaf: a message_type has each policy once, but for those with a stage");
  static constexpr bool has_address = (detail::addresses<Policy, T> || ...);
  static constexpr bool has_own_buffers = ((std::is_same_v<Policy, unordered> || std::is_same_v<Policy, routed> ||
                                            std::is_same_v<Policy, coalescing> || detail::is_sent_by<Policy>) ||
                                           ...);
  static constexpr bool has_stages = (detail::staged<Policy, T> || ...);

 public:
  using value_type = T;

  /// Without a handler this member may only send.
  explicit message_type(team const& members, call_site where = call_site::here())
      : message_type(members, nothing{}, where, Policy{}...) {}
  template <class F>
  message_type(team const& members, F handler, call_site where = call_site::here())
      : message_type(members, nothing{}, where, Policy{}...) {
    set_handler(std::move(handler), where);
  }
  /// With the parameters of its policies, in their order.
  explicit message_type(team const& members, Policy const&... parameters, call_site where = call_site::here())  //
      requires(sizeof...(Policy) != 0)
      : message_type(members, nothing{}, where, parameters...) {}
  template <class F>
  requires(sizeof...(Policy) != 0)  //
      message_type(team const& members, F handler, Policy const&... parameters, call_site where = call_site::here())
      : message_type(members, nothing{}, where, parameters...) {
    set_handler(std::move(handler), where);
  }

  /// Local: a member that is still in the end of an epoch may give a faster one's next messages to the old handler,
  /// unless there is a barrier behind it; for a parallel type there must be one in front of it, too. Replaces the
  /// handler; `touches(value)` may give the address that the handler will touch, which is fetched some messages ahead.
  /// Throws usage_error in an epoch.
  template <class F>
  void set_handler(F handler, call_site where = call_site::here()) {
    set_handler(std::move(handler), detail::touches_nothing{}, where);
  }
  template <class F, class Touches>
  requires(!std::is_same_v<Touches, call_site>)  //
      void set_handler(F handler, Touches touches, call_site where = call_site::here()) {
    using receiving = detail::receiving<T, F, Touches, records::any_thread, has_address>;
    auto* const own = new receiving{std::move(handler), std::move(touches)};
    core_.set_handler({&receiving::run, &receiving::one, {own, &receiving::destroy}}, where);
  }

  /// Sends a copy of the value to the member `dest`, and returns. In an epoch of the team, or a handler there; else
  /// usage_error, also where there is no such member. Local; costs a few nanoseconds and its bytes in a shared buffer.
  /// In the program it may execute others' requests, as async does.
  void send(located<std::uint64_t> dest, T const& value) {
    if constexpr (has_stages) {
      stages_.send(dest.value, dest.from, value);
    } else {
      put(dest.value, dest.from, value);
    }
  }

  /// As that, to the member that owns the value; with the policy `addressed`.
  void send(T const& value, call_site where = call_site::here()) requires(has_address) {
    send({address_.owner(value), where}, value);
  }

  /// Sends a copy of the value to each of a range of ranks; costs as many messages.
  template <class Ranks>
  void multicast(Ranks const& ranks, T const& value, call_site where = call_site::here()) {
    for (std::uint64_t const rank : ranks) send({rank, where}, value);
  }

  /// Hands what the calling thread has sent to the transport: nothing on a thread that cannot send, nor after the job.
  /// For a type with order this is all that shares its buffers.
  void flush() {
    if constexpr (has_stages) stages_.flush_all();
    core_.flush();
  }

  [[nodiscard]] team const& members() const { return core_.members(); }

 private:
  friend class detail::stage_chain<message_type, T, Policy...>;
  struct nothing {};

  message_type(team const& members, nothing, call_site where, Policy const&... parameters)
      : core_(members, records::object_type, detail::handler_number<records>, how(parameters...), where),
        address_(detail::address_among<T>(parameters...)),
        stages_(core_, *this, parameters...) {}

  static detail::message_buffers how(Policy const&... parameters) {
    detail::message_buffers all{.apart = has_own_buffers};
    [[maybe_unused]] auto const add = [&all](auto const& policy) {
      if constexpr (std::is_same_v<decltype(policy), coalescing const&>) {
        std::size_t const by_count = policy.count * records::record_bytes;
        all.bytes = by_count != 0 ? by_count + run_header::wire_bytes : policy.bytes;
        all.age_ns = policy.age_ns;
      } else if constexpr (std::is_same_v<decltype(policy), routed const&>) {
        all.path = policy.by;
      } else if constexpr (detail::is_sent_by<std::remove_cvref_t<decltype(policy)>>) {
        all.by = policy.how;
      }
    };
    (add(parameters), ...);
    return all;
  }

  /// The outbox, if it takes one more record of fixed size as it is; else null.
  [[gnu::always_inline]] detail::outbox* open_box(std::uint64_t dest) const {
    if constexpr (has_own_buffers) {
      if (!core_.own_boxes().reaches(dest)) return nullptr;
      detail::outbox& box = core_.own_boxes()[dest];
      return box.takes_of_its_only_tag() ? &box : nullptr;
    } else {
      detail::outbox& box = core_.boxes().at(dest);
      return box.takes(core_.tag()) ? &box : nullptr;
    }
  }

  void put(std::uint64_t dest, detail::packed_call_site from, T const& value) {
    if constexpr (has_address && std::is_copy_constructible_v<T>) {
      if (address_.at_once && dest == core_.members().rank()) {
        T own = value;
        if (core_.handle_here(&own, from)) return;
      }
    }
    if constexpr (records::codec::fixed) {
      if (detail::outbox* const box = open_box(dest); box != nullptr) [[likely]]
        return detail::encode_next<typename records::codec>(*box, value);
      send_slowly<detail::copied_if_small<T>>(dest, from, value);
    } else {
      detail::outbox& to = core_.box_for(dest, from);
      if constexpr (has_stages) stages_.went(1);
      detail::put_lending(core_.here(), to.dest, std::tie(value), [&](T const& v) {
        detail::put<typename records::codec>(core_.here(), to, core_.tag(), from, v);
      });
    }
  }

  /// Nothing unless `yes`; without a branch on that, as a rule.
  void put_when(bool yes, std::uint64_t dest, detail::packed_call_site from, T const& value) {
    if constexpr (records::codec::fixed && !has_address) {
      if (detail::outbox* const box = open_box(dest); box != nullptr) [[likely]] {
        records::codec::encode(box->cursor, value);
        box->cursor += records::record_bytes & -std::size_t{yes};
        return __builtin_prefetch(box->cursor + detail::lines_ahead, 1);
      }
    }
    if (yes) put(dest, from, value);
  }

  template <class V>
  [[gnu::noinline, gnu::cold]] void send_slowly(std::uint64_t dest, detail::packed_call_site from, V value) {
    detail::outbox& to = core_.box_for(dest, from);
    if constexpr (has_stages) stages_.went(1 + to.open_records());  // more than that where it has polled in between
    detail::put<typename records::codec>(core_.here(), to, core_.tag(), from, value);
  }

  /// Where no policy keeps messages back.
  struct no_stages {
    template <class... A>
    explicit no_stages(A const&...) {}
  };

  detail::message_core core_;
  [[no_unique_address]] decltype(detail::address_among<T>(std::declval<Policy const&>()...)) const address_;
  [[no_unique_address]] std::conditional_t<has_stages, detail::stage_chain<message_type, T, Policy...>, no_stages>
      stages_;
};

}  // namespace sheaf
