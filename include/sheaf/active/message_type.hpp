// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "sheaf/active/detail/message_core.hpp"
#include "sheaf/active/detail/receiving.hpp"
#include "sheaf/base/call_site.hpp"
#include "sheaf/message/detail/record.hpp"

namespace sheaf {

/// Messages of this type have no order, neither among themselves nor relative to other requests. They travel in buffers
/// of their own, whose runs no other request interrupts.
struct unordered {};

/// A type of active messages (AM++ §3.1): values of type T that are sent to members of a team, where a handler is
/// called with each. All members create their message types in the same order, outside of epochs. It sends nothing
/// itself. The handler may differ from member to member.
///
/// `handler(value)` or `handler(value, rank of the sender)` is called on its location's thread, one message at a time;
/// it may send anything, allocate, wait as a remotely invoked method may, and throw (the end of the epoch reports it).
/// Exception: a run of messages for a noexcept handler is one plain loop, which the compiler may vectorize. Such a
/// handler must not wait (usage_error, which ends the program).
///
/// Messages are sent in epochs of the team (epoch.hpp). They start in the order issued, as all requests of a pair do,
/// unless a policy says otherwise. When the object is destroyed, its epochs have ended.
///
/// Policies: unordered.
template <class T, class... Policy>
class message_type {
  using records = detail::message_records<T>;
  static_assert((std::is_same_v<Policy, unordered> && ...), "sheaf: a message_type's policies are: unordered");

 public:
  using value_type = T;

  /// Without a handler this member may only send.
  explicit message_type(team const& members, call_site where = call_site::here())
      : core_(members, records::object_type, detail::handler_number<records>,
              (std::is_same_v<Policy, unordered> || ...), where) {}
  template <class F>
  message_type(team const& members, F handler, call_site where = call_site::here()) : message_type(members, where) {
    set_handler(std::move(handler), where);
  }

  /// Local: a member that is still in the end of an epoch may give a faster one's next messages to the old handler,
  /// unless there is a barrier behind it. Replaces the handler; `touches(value)` may give the address that the handler
  /// will touch, which is fetched some messages ahead. Throws usage_error in an epoch.
  template <class F>
  void set_handler(F handler, call_site where = call_site::here()) {
    set_handler(std::move(handler), detail::touches_nothing{}, where);
  }
  template <class F, class Touches>
  requires(!std::is_same_v<Touches, call_site>)  //
      void set_handler(F handler, Touches touches, call_site where = call_site::here()) {
    using receiving = detail::receiving<T, F, Touches>;
    auto* const own = new receiving{std::move(handler), std::move(touches)};
    core_.set_handler({&receiving::run, {own, &receiving::destroy}}, where);
  }

  /// Sends a copy of the value to the member `dest`, and returns. In an epoch of the team, or a handler there; else
  /// usage_error, also where there is no such member. Local; costs a few nanoseconds and its bytes in a shared buffer.
  /// In the program it may execute others' requests, as async does.
  void send(located<std::uint64_t> dest, T const& value) {
    if constexpr (records::codec::fixed) {
      detail::outbox& box = core_.boxes().at(dest.value);
      if (box.takes(core_.tag())) [[likely]]
        return detail::encode_next<typename records::codec>(box, value);
      send_slowly<detail::copied_if_small<T>>(dest.value, dest.from, value);
    } else {
      detail::put<typename records::codec>(core_.here(), core_.box_for(dest.value, dest.from), core_.tag(), dest.from,
                                           value);
    }
  }

  /// Hands what was sent to the transport. For a type with order this is all that shares its buffers.
  void flush() { core_.flush(); }

  [[nodiscard]] team const& members() const { return core_.members(); }

 private:
  template <class V>
  [[gnu::noinline, gnu::cold]] void send_slowly(std::uint64_t dest, detail::packed_call_site from, V value) {
    detail::put<typename records::codec>(core_.here(), core_.box_for(dest, from), core_.tag(), from, value);
  }

  detail::message_core core_;
};

}  // namespace sheaf
