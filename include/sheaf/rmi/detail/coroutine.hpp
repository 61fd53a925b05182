// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "sheaf/async/task.hpp"
#include "sheaf/message/guarded_run.hpp"

/// Methods that are coroutines. A request begins one as it calls any method. If it does not end at once, its frame is
/// handed over to the location, with what is to be done at its end: an `Answer`, with `value(here, result)` or, for
/// void, `value(here)`, and `exception(here)`; `gathers()`, if any, is the location in whose buffer answers gather.
namespace sheaf::detail {

/// Owns the arguments of a coroutine that refers to them.
struct kept_arguments {
  virtual ~kept_arguments() = default;
};
template <class Tuple>
struct kept_tuple : kept_arguments {
  template <class... A>
  explicit kept_tuple(A&&... a) : values(std::forward<A>(a)...) {}
  Tuple values;
};
using arguments_owner = owned<kept_arguments, &delete_it>;

/// Gives the result, or throws the coroutine's exception.
template <class R, class Answer>
void give_result(location& here, task_promise<R>& frame, Answer& answer) {
  if constexpr (std::is_void_v<R>) {
    frame.take();
    answer.value(here);
  } else {
    answer.value(here, frame.take());
  }
}

[[noreturn]] void throw_object_gone();

/// The notes in the frame of a suspended coroutine.
template <class R, class Answer>
struct suspended_call {
  location* here;
  team_state* team;
  kept_arguments* arguments;
  Answer answer;

 private:
  static frame_origin origin(task_frame const& frame) {
    Answer const& answer = frame.notes<suspended_call>().answer;
    std::uint64_t answers = 0;
    if constexpr (requires { answer.call(); }) answers = answer.call();
    return {answer.name, static_cast<std::uint32_t>(answer.caller), answers};
  }
  static void end(task_frame& frame, frame_end how) {
    suspended_call call = frame.notes<suspended_call>();
    {
      arguments_owner const after_the_frame(call.arguments);
      at_end const last{[&] {
        frame.destroy();
        --call.team->awaited;
      }};
      if (how == frame_end::ended) call.finish(static_cast<task_promise<R>&>(frame));
      if (how == frame_end::abandoned) call.refuse();
    }
    if constexpr (requires { call.answer.left(); }) {
      if (how == frame_end::ended) call.answer.left();
    }
  }
  void finish(task_promise<R>& frame) {
    call_catching([&] { give_result<R>(*here, frame, answer); }, [&] { answer.exception(*here); });
    gave_late();
  }
  /// Called in the object's destructor. The next wait throws again an error that ends the job meanwhile.
  void refuse() noexcept {
    try {
      call_catching([] { throw_object_gone(); }, [&] { answer.exception(*here); });
      gave_late();
      here->in().flush_late_answers();
    } catch (error const&) {
    }
  }
  /// No request's entry is at its end soon.
  void gave_late() const {
    if constexpr (requires { answer.gathers(); }) here->in().flush_answers_soon(answer.gathers());
  }

 public:
  static constexpr frame_keeper keeper{&end, &origin};
};

/// Calls a method that is a coroutine. Throws what it throws before it first suspends. `object`: as registered.
template <class Invoker, class Answer, class Self, class... A>
void begin_call(location& here, team_state& team, void const* object, Self& self, Answer& answer, A&&... a) {
  using result = typename Invoker::result;
  using notes = suspended_call<result, Answer>;
  arguments_owner arguments;
  task<result> begun;
  if constexpr (Invoker::refers_to_arguments) {
    auto* const kept = new kept_tuple<typename Invoker::arguments>(std::forward<A>(a)...);
    arguments = arguments_owner(kept);
    begun = std::apply([&](auto&... v) { return Invoker::call(self, std::move(v)...); }, kept->values);
  } else {
    begun = Invoker::call(self, std::forward<A>(a)...);
  }
  if (auto& ended = async_parts::state_of(begun); ended.ready()) return give_result<result>(here, ended, answer);
  auto& frame = async_parts::release(std::move(begun));
  frame.object = object;
  frame.make_notes(notes{&here, &team, arguments.release(), answer});
  frame.hand_over(notes::keeper);
  ++team.awaited;
  if constexpr (requires { answer.stays(); }) answer.stays();
}

}  // namespace sheaf::detail
