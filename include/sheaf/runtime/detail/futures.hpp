// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <new>
#include <utility>

#include "sheaf/async/future.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// What a location does for its futures.
struct future_calls {
  static void wait(future_state_base& state, call_site where);
  static void poll();
  static void defer(void (*run)(void*), void* context, task_frame const* resumes, std::uint64_t scope);
  static std::uint64_t scope();
  static void recall(void* context) noexcept;
  static void keep(task_frame& frame);
  static void keep_for(task_frame& frame, void (*run)(void*));
};

/// For the states of this location's futures.
inline constexpr future_services location_services{&future_calls::wait,    &future_calls::poll,   &future_calls::defer,
                                                   &future_calls::scope,   &future_calls::recall, &future_calls::keep,
                                                   &future_calls::keep_for};
/// For those of attached threads' futures, which take no continuations.
inline constexpr future_services outside_services{
    &future_calls::wait,   &future_calls::poll, &future_calls::defer,    &future_calls::scope,
    &future_calls::recall, &future_calls::keep, &future_calls::keep_for, false};

/// A future's state, in one of the location's cells, while its request is put. If the request is not sent, the state
/// ends with this.
template <class R>
class asking {
 public:
  asking(location& here, team_state& team) : asking(here, team.awaited) {}
  /// `unanswered` counts the question until it is answered.
  asking(location& here, std::uint64_t& unanswered)
      : state_(::new (here.calls().cells.take()) state_type(location_services, &unanswered)) {}
  ~asking() {
    if (state_ != nullptr) cell_pool::give_back(state_);
  }
  asking& operator=(asking&&) = delete;

  static constexpr bool windowed = false;
  [[nodiscard]] future_state<R>* state() const { return state_; }
  [[nodiscard]] std::uintptr_t place() const { return question_run::place_of(state_); }
  [[nodiscard]] asker who() const { return {token_of<R>(), state_->unanswered, nullptr}; }
  /// The request is under way.
  [[nodiscard]] future<R> sent() { return future<R>(std::exchange(state_, nullptr)); }

 private:
  using state_type = future_state<R>;
  static_assert(sizeof(state_type) <= cell_pool::cell_bytes);

  state_type* state_;
};

/// A question that carries its id, because it is forwarded or its answer carries no value. If it is not sent before
/// this ends, it is withdrawn.
class carried_question : immovable<carried_question> {
 public:
  carried_question(location& here, asker const& who, asked_of const& of, std::uintptr_t place) : here_(here) {
    admission const inside(here.gate());
    id_ = here.calls().questions.alone(who, of, place);
  }
  ~carried_question() {
    if (sent_) return;
    admission const inside(here_.gate());
    here_.calls().questions.end_alone(id_);
  }
  [[nodiscard]] std::uint64_t id() const { return id_; }
  void sent() { sent_ = true; }

 private:
  location& here_;
  std::uint64_t id_;
  bool sent_ = false;
};

}  // namespace sheaf::detail
