// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sheaf/async/future.hpp"
#include "sheaf/base/ambient.hpp"

namespace sheaf {

template <class T>
class task;

namespace detail {

template <class T>
class task_promise;

class awaiting;

/// The library's access to the private parts of futures and tasks.
struct async_parts {
  template <class F>
  static auto& state_of(F const& of) {
    return of.checked();
  }
  /// Moves the frame to the caller.
  template <class T>
  static task_promise<T>& release(task<T>&& of) {
    return *of.frame_.release();
  }
};

/// The services of the ambient location; null outside a job. Defined where locations are.
future_services const* services_here() noexcept;

/// Why a frame that no task owns comes to its end.
enum class frame_end : std::uint8_t {
  ended,      ///< the coroutine has ended: its result is there
  stopped,    ///< the job ends
  abandoned,  ///< the object whose method it is goes away
};

/// Where a frame's coroutine comes from, for reports.
struct frame_origin {
  std::string_view method{};  ///< the handler's name; empty: it is not a request's
  std::uint32_t caller = 0;   ///< the location
  std::uint64_t answers = 0;  ///< the caller's call that it answers; 0: none, or unknown
};

/// Callbacks for a frame that no task owns; one object for all frames of a kind.
struct frame_keeper {
  void (*end)(task_frame&, frame_end);  ///< called once, when the coroutine has ended or must end; destroys it
  frame_origin (*origin)(task_frame const&) = nullptr;
};

/// A list of frames that no task owns. An attached thread adds a frame whose exception nobody has seen.
class frame_list {
 public:
  frame_list& operator=(frame_list&&) = delete;

  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  /// From now on other threads use it, too, inside this gate.
  void share(gate& g) noexcept { gate_ = &g; }
  void add(task_frame& frame) noexcept;
  void remove(task_frame& frame) noexcept;
  [[nodiscard]] bool has_one_of(void const* object) const noexcept;
  [[nodiscard]] bool has(task_frame const* frame) const noexcept;

  /// Calls `visit` with each that is suspended. Inside the gate.
  template <class Visit>
  void each_suspended(Visit visit) const;

  /// Ends all frames of the object that are not running; null: all frames, since the job ends.
  void end_those_of(void const* object) noexcept;

 private:
  /// The first for which wanted(frame) holds; null: none.
  template <class Wanted>
  task_frame* first_of(Wanted wanted) const noexcept;

  task_frame* first_ = nullptr;
  gate* gate_ = nullptr;
};

/// A coroutine's frame, whatever its result. Ready when the coroutine has reached its end.
class task_frame : public future_state_base {
 public:
  explicit task_frame(std::coroutine_handle<> self) noexcept : future_state_base(frame), self_(self) {
    services = services_here();
  }
  task_frame& operator=(task_frame&&) = delete;

  std::suspend_never initial_suspend() const noexcept { return {}; }

  /// Makes the frame ready, after all its variables are destroyed.
  struct at_end : std::suspend_always {
    task_frame& frame;
    explicit at_end(task_frame& its) noexcept : frame(its) {}
    void await_suspend(std::coroutine_handle<>) const noexcept {
      frame.running_ = false;
      frame.complete();
    }
  };
  at_end final_suspend() noexcept { return at_end(*this); }

  void unhandled_exception() noexcept;

  void suspends_on(future_state_base& on, awaiting const& at) noexcept {
    running_ = false;
    at_ = &at;
    if (services == nullptr) services = on.services;
    unanswered = on.unanswered;
  }
  /// Where it is suspended; null: it runs, or has ended.
  [[nodiscard]] awaiting const* suspended_at() const noexcept { return running_ || ready() ? nullptr : at_; }

  /// Runs the coroutine until it suspends again or ends. The frame may be gone then. Throws only what ends the job.
  void resume();

  /// The task that owned it is gone.
  void abandon() noexcept;

  void hand_over(frame_keeper const& to) {
    services->keep(*this);
    keeper_ = &to;
  }
  [[nodiscard]] frame_origin origin() const {
    return keeper_ == nullptr || keeper_->origin == nullptr ? frame_origin{} : keeper_->origin(*this);
  }
  /// Stores the keeper's notes in the frame.
  template <class Notes>
  Notes& make_notes(Notes const& notes) noexcept {
    static_assert(sizeof(Notes) <= sizeof notes_ && alignof(Notes) <= alignof(void*));
    static_assert(std::is_trivially_copyable_v<Notes>);
    return *::new (static_cast<void*>(notes_)) Notes(notes);
  }
  template <class Notes>
  [[nodiscard]] Notes const& notes() const noexcept {
    return *std::launder(reinterpret_cast<Notes const*>(notes_));
  }
  void destroy() noexcept;

  void const* object = nullptr;  ///< the object whose method it is, for its keeper

 protected:
  ~task_frame() = default;

  void rethrow() {
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  friend class frame_list;

  void tell_lost();

  std::coroutine_handle<> self_;
  std::exception_ptr thrown_;
  frame_keeper const* keeper_ = nullptr;
  awaiting const* at_ = nullptr;  ///< while it is suspended
  frame_list* in_ = nullptr;
  task_frame* next_kept_ = nullptr;
  task_frame* previous_kept_ = nullptr;
  bool running_ = true;
  bool abandoned_ = false;  ///< its task was destroyed while it ran
  bool ends_job_ = false;   ///< its exception ends the job
  bool told_ = false;       ///< and was thrown where the coroutine was resumed
  alignas(void*) std::byte notes_[80];
};

class awaiting : public deferred_step {
 public:
  awaiting(future_state_base& on, task_frame& who, call_site where) noexcept
      : deferred_step{&go_on, &who}, on_(&on), who_(&who), from_(where) {}
  awaiting& operator=(awaiting&&) = delete;
  ~awaiting() { leave(); }

  [[nodiscard]] bool await_ready() const noexcept { return on_->ready(); }
  void await_suspend(std::coroutine_handle<>) {
    if (on_->services != nullptr && !on_->services->continues) throw usage_error(no_continuation_text);
    who_->suspends_on(*on_, *this);
    suspended_ = true;
    on_->attach(this);
  }
  void await_resume() const noexcept {}

  [[nodiscard]] future_state_base const& on() const noexcept { return *on_; }
  [[nodiscard]] call_site from() const noexcept { return from_; }

 protected:
  /// Detaches from the awaited state, which still exists, when the coroutine is destroyed.
  void leave() noexcept {
    if (std::exchange(suspended_, false)) on_->withdraw(this);
  }

 private:
  static void go_on(void* step) {
    auto& self = *static_cast<awaiting*>(static_cast<deferred_step*>(step));
    self.suspended_ = false;
    self.who_->resume();
  }

  future_state_base* on_;
  task_frame* who_;
  call_site from_;
  bool suspended_ = false;
};

/// Whether a location runs a continuation, and which coroutine that resumes; null: none.
struct continuing {
  bool any = false;
  task_frame const* coroutine = nullptr;
};

template <class Visit>
void frame_list::each_suspended(Visit visit) const {
  for (task_frame const* frame = first_; frame != nullptr; frame = frame->next_kept_) {
    if (frame->suspended_at() != nullptr) visit(*frame);
  }
}

/// Waits without taking the result.
struct settled {
  future_state_base* state;
};

template <class F>
inline constexpr bool can_be_awaited = false;
template <class T>
inline constexpr bool can_be_awaited<future<T>> = true;
template <class T>
inline constexpr bool can_be_awaited<task<T>> = true;

/// The part of a promise that does not depend on the result type.
template <class T>
class task_promise_base : public task_frame {
 public:
  auto get_return_object() noexcept;

  template <class F>
  requires can_be_awaited<std::remove_reference_t<F>>
  auto await_transform(F&& f, call_site where = call_site::here());
  awaiting await_transform(settled one) noexcept { return {*one.state, *this, {}}; }
  template <class Other>
  requires(!can_be_awaited<std::remove_reference_t<Other>>) std::suspend_never await_transform(Other&&)
  noexcept {
    static_assert(sizeof(Other) == 0,
                  "sheaf: a task co_awaits a future, a task, or when_all of these, as lvalue or rvalue, not const");
    return {};
  }

 protected:
  using task_frame::task_frame;
};

template <class T>
class task_promise final : public task_promise_base<T> {
 public:
  task_promise() noexcept : task_promise_base<T>(std::coroutine_handle<task_promise>::from_promise(*this)) {}
  ~task_promise() {
    if (has_value_) value_.destroy();
  }

  template <class V = T>
  requires std::is_constructible_v<T, V&&>
  void return_value(V&& value) {
    value_.keep([&] { return T(std::forward<V>(value)); });
    has_value_ = true;
  }
  T take() {
    this->rethrow();
    return std::move(value_.get());
  }

 private:
  result_room<T, true> value_;
  bool has_value_ = false;
};

template <>
class task_promise<void> final : public task_promise_base<void> {
 public:
  task_promise() noexcept : task_promise_base(std::coroutine_handle<task_promise>::from_promise(*this)) {}
  void return_void() const noexcept {}
  void take() { rethrow(); }
};

template <class T>
void abandon(task_promise<T>* frame) noexcept {
  frame->abandon();
}
inline void destroy(task_frame* frame) noexcept { frame->destroy(); }

/// Fills the future that stands for a coroutine.
template <class T>
void fill_future(task_frame& frame, frame_end how) {
  state_owner<T> const to(frame.notes<future_state<T>*>());
  owned<task_frame, &destroy> const last(&frame);
  if (how == frame_end::ended) to->set_from_call([&] { return static_cast<task_promise<T>&>(frame).take(); });
}

/// Turns the frame into a future; no task owns the coroutine then.
template <class T>
future<T> future_of(task_promise<T>& frame) {
  auto to = new_state<T>(frame);
  static constexpr frame_keeper keeper{&fill_future<T>};
  frame.hand_over(keeper);  // throws where the job is over
  to->acquire();
  frame.make_notes(to.get());
  if (frame.ready()) fill_future<T>(frame, frame_end::ended);
  return future<T>(to.release());
}

}  // namespace detail
}  // namespace sheaf
