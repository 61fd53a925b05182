// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/detection.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/scope.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

namespace detail {
class epoch_calls;
}

/// While it lives, the team's epochs that this member begins end by this detector, or by that of another open request
/// if it is stronger (detection). Without requests they end by the coloured wave. All members make and destroy their
/// requests in the same order relative to epochs; else the epoch's end ends the job with mismatched calls. Where an
/// epoch ends by a nesting depth, a handler that sends deeper gets usage_error, as does who calls a migrating object.
/// Local. Messages of an epoch's end, in a team of n members with ⌈log2 n⌉ rounds for a wave, without a value, if
/// nothing was under way:
///
/// | detector | waves | other messages |
/// |---|---|---|
/// | depth d | d+1 (d+2 with a value) | 2 for each member to which this one has sent, and each generation |
/// | coloured_wave | 1 | |
/// | four_counter, sinha_kale_ramkumar | 2 | |
/// | channel_counting | 1 | n−1 for each wave |
class detection_request {
 public:
  /// Throws usage_error for a depth beyond detection::most_depth.
  detection_request(team const& members, detection how, call_site where = call_site::here());
  ~detection_request();
  detection_request& operator=(detection_request&&) = delete;

 private:
  detail::team_state& state_;
  detection const how_;
};

/// An epoch of typed messages (AM++ §3.3), for programs that cannot say what belongs to it as one function: see `epoch`
/// below. All members of the team begin and end their epochs in the same order, in the program. Epochs may be nested,
/// on one team or several; the inner one ends first (usage_error else). Its end waits for its own messages, and for
/// what their handlers sent, but not for messages that were sent in the outer one. Beginning costs no message.
///
/// An epoch that is left by an exception is poisoned: its end throws remote_error on every other member, once all of
/// its messages have been handled. Messages for a type that the exception has destroyed, too, are dropped. Where the
/// others end it with a value, the job ends: `epoch` below is for these.
class scoped_epoch {
 public:
  explicit scoped_epoch(team const& members, call_site where = call_site::here());
  /// Ends it, unless it has been ended. While an exception passes it does not wait, but poisons the epoch.
  ~scoped_epoch() noexcept(false);
  scoped_epoch& operator=(scoped_epoch&&) = delete;

  /// Collective. Returns when all messages of the epoch have been handled, on all members, and those that their
  /// handlers sent, to any depth, with all requests on objects of the team that these caused; and until no answer that
  /// this member awaits of the team is missing. Throws remote_error on every member if handlers threw. Costs a fence.
  /// Requests that the program itself has issued are not waited for.
  void end(call_site where = call_site::here()) {
    leave();
    detail::at_end const closed{[this] { scope_->close(); }};
    scope_->fence(where);
  }
  /// As end; brings a reduction of a value of each member, as fence(team, own, op) does, in the same messages.
  template <class Own, class Op>
  auto end(Own const& own, Op const& op, call_site where = call_site::here()) {
    leave();
    detail::at_end const closed{[this] { scope_->close(); }};
    return scope_->fence(own, op, where);
  }

  /// The split-phase forms: return at once. The future is ready when `end` would return, and get() throws what it
  /// throws. Members may mix both forms. This object stays until the future is ready; if an exception destroys it
  /// before, the epoch is poisoned. What the program sends from now on does not belong to the epoch.
  [[nodiscard]] future<void> ask_end(call_site where = call_site::here()) {
    leave();
    detail::at_end const closed{[this] { scope_->close(); }};
    return scope_->ask_fence(where);
  }
  template <class Own, class Op>
  [[nodiscard]] auto ask_end(Own own, Op op, call_site where = call_site::here()) {
    leave();
    detail::at_end const closed{[this] { scope_->close(); }};
    return scope_->ask_fence(std::move(own), std::move(op), where);
  }

  /// So many attached threads will each have an epoch_part; the ends, split-phase ones too, first wait until all of
  /// these have ended. One that an exception leaves waits for those that have begun. Throws usage_error where no thread
  /// can attach, and once the epoch has been ended.
  void expect_parts(std::uint32_t threads, call_site where = call_site::here());

 private:
  friend class detail::epoch_calls;
  friend class epoch_part;

  void leave();

  team const team_;
  call_site const from_;
  int const exceptions_ = std::uncaught_exceptions();
  std::optional<detail::scope> scope_;
  run_scope before_;
  std::atomic<bool> inside_{false};         // until the program ends it
  std::atomic<std::uint32_t> expected_{0};  // parts that have not begun
  std::atomic<std::uint32_t> parts_{0};     // that have begun, and not ended
};

/// While it lives, an attached thread sends messages in an epoch of its location: the epoch is begun and ended by so
/// many threads (AM++ §3.4). The epoch's location calls expect_parts before, and ends the epoch as ever.
class epoch_part {
 public:
  /// Throws usage_error on a thread that is not attached to the epoch's location, and where no further part is
  /// expected. It ends before the thread's attached_thread.
  explicit epoch_part(scoped_epoch& whole, call_site where = call_site::here());
  /// Hands on what the thread has sent. While an exception passes, poisons the epoch.
  ~epoch_part();
  epoch_part& operator=(epoch_part&&) = delete;

 private:
  scoped_epoch& whole_;
  detail::location& here_;
  int const exceptions_ = std::uncaught_exceptions();
  run_scope before_;
};

namespace detail {

class epoch_calls {
 public:
  /// Calls f in an epoch, then end(epoch). Where f throws, the epoch ends, too, before the exception goes on.
  template <class F, class End>
  static auto run(team const& members, F& f, End end, call_site where) {
    scoped_epoch its(members, where);
    call_catching(f, [&] {
      poison(members, its.scope_->number(), text_of_thrown());
      try {
        end(its);
      } catch (remote_error const&) {  // this member's own error among others
      }
      throw;
    });
    return end(its);
  }

 private:
  static void poison(team const& members, std::uint32_t scope, std::string const& why);
  friend class sheaf::scoped_epoch;
  friend class sheaf::epoch_part;
};

}  // namespace detail

/// Collective. Calls f(), in which the program may send messages of the team's message types, and returns when all of
/// them have been handled, as scoped_epoch::end. If f throws, the others' calls throw remote_error, and this one throws
/// what f threw, once all messages have been handled.
template <class F>
requires std::invocable<F&>
void epoch(team const& members, F f, call_site where = call_site::here()) {
  detail::epoch_calls::run(
      members, f, [where](scoped_epoch& its) { its.end(where); }, where);
}

/// As that; brings a reduction of a value of each member: `own` is the value, or own() is called once all messages have
/// been handled here. `op` is associative and commutative.
template <class F, class Own, class Op>
requires std::invocable<F&>
auto epoch(team const& members, F f, Own const& own, Op const& op, call_site where = call_site::here()) {
  return detail::epoch_calls::run(
      members, f, [&, where](scoped_epoch& its) { return its.end(own, op, where); }, where);
}

}  // namespace sheaf
