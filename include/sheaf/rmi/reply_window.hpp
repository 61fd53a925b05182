// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/rmi/detail/windowed.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

template <class T>
class migrating;

namespace detail {

template <class Where, class T>
class verbs;

/// Throws remote_error with the text, and clears it. Does nothing if it is empty.
void throw_first_error(std::string& text);

}  // namespace detail

/// A batch of split-phase requests that answer into an array: `object.ask_into<&T::get>(rank, window, slot, a…)` puts
/// the result into that slot. Cheaper than futures. R needs a default constructor and assignment. Only for one
/// location, on its own thread.
template <class R>
class reply_window {
  static_assert(!std::is_same_v<R, bool>, "sheaf: a reply_window<bool> has no addressable slots; use std::uint8_t");
  static_assert(detail::has_slots<R>, "sheaf: a reply_window's results must be default-constructible and assignable");

 public:
  /// 1 to 2^32-1 results of requests on objects of the team. Throws usage_error for 0.
  reply_window(team const& on, std::uint32_t slots) : on_(on), here_(&here_of(on)) {
    here_->check_owner("a reply_window");
    state_ = new detail::window_results<R>(detail::checked_slots(slots));
    unguarded_ = here_->gate() == nullptr ? slots : 0;
    results_ = state_->results.data();
  }
  reply_window& operator=(reply_window&&) = delete;
  /// Waits for the replies under way, but not while an exception passes, and no longer than until the wait throws (at
  /// the end of the job, or at the nesting limit). Later replies are dropped. An error that no wait() has thrown goes
  /// to the next fence of the team; if the team has ended, of the world.
  ~reply_window() {
    bool const in_job = on_.is_of_this_job();
    try {
      if (in_job && awaited() != 0 && std::uncaught_exceptions() == 0) drain();
    } catch (error const&) {  // the next wait throws it again
    }
    detail::admission const inside(in_job ? here_->gate() : nullptr);
    if (in_job && !state_->error.empty())
      here_->in().keep_unseen({state_->error, on_.is_here() ? &state_of(on_).awaited : nullptr});
    state_->gone = true;
    state_->release();
  }

  /// Replies that have not arrived; 0 after the job. Does not poll: a loop that tests it calls poll(). Its time grows
  /// with this location's requests under way.
  [[nodiscard]] std::uint32_t awaited() const {
    if (!on_.is_of_this_job()) return 0;
    detail::admission const inside(here_->gate());
    return here_->calls().questions.awaited(*state_);
  }

  /// Waits for all replies, executing others' requests; throws remote_error, with the first text, when methods threw.
  void wait(call_site where = call_site::here()) {
    drain(where);
    detail::throw_first_error(state_->error);
  }

  [[nodiscard]] R& operator[](std::uint32_t slot) { return results_[slot]; }
  [[nodiscard]] std::uint32_t slots() const { return static_cast<std::uint32_t>(state_->results.size()); }

 private:
  template <class Where, class T>
  friend class detail::verbs;

  template <class T>
  friend class migrating;

  /// The question whose result goes to the slot.
  [[nodiscard]] detail::window_question<R> question(detail::team_state& team, std::uint32_t slot, call_site from) {
    if (slot >= unguarded_) [[unlikely]]
      check_slowly(slot, from);
    return {team, state_, results_, slot};
  }
  void check_slowly(std::uint32_t slot, call_site from) const {
    here_of(on_).check_owner("ask_into", from);
    if (slot >= slots()) detail::throw_bad_slot(slot, slots(), from);
  }

  void drain(call_site where = {}) {
    detail::location& here = here_of(on_);
    here.check_may_wait(detail::wait_kind::answer, "reply_window::wait", where);
    detail::wait_site const site{.what = "reply_window::wait", .for_what = detail::awaited::answer, .from = where};
    here.wait(detail::wait_kind::answer, site, [&] { return state_->runs == 0; });
  }

  team on_;
  detail::location* here_;
  detail::window_results<R>* state_;  // deletes itself after this window's end
  R* results_;
  std::uint32_t unguarded_ = 0;  // so many first slots need no check of the caller; 0 if other threads may call
};

}  // namespace sheaf
