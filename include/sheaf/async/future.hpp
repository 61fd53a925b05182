// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "sheaf/base/remote_error.hpp"

namespace sheaf {

template <class T>
class future;

namespace detail {

struct unit {};
template <class T>
using stored = std::conditional_t<std::is_void_v<T>, unit, T>;

/// What a future and the reply that will fill it share. Belongs to one location: no atomics.
class future_state_base {
 public:
  enum class status : unsigned char { pending, value, error };

  [[nodiscard]] bool ready() const noexcept { return status_ != status::pending; }
  void set_error(std::string text) {
    error_ = new std::string(std::move(text));
    complete(status::error);
  }

  void acquire() noexcept { ++references_; }
  bool release() noexcept { return --references_ == 0; }

  /// Destroys the state and returns its memory to where it came from.
  void (*dispose)(future_state_base&) noexcept = nullptr;
  void* home = nullptr;

  /// Runs others' requests until ready; set by the layer that made the state.
  void (*wait)(future_state_base&) = nullptr;
  /// Runs a continuation where requests may run; set together with wait.
  void (*defer)(void (*run)(void*), void* context) = nullptr;

  /// The count of unanswered requests that the reply reduces, for the fence.
  std::uint64_t* unanswered = nullptr;

  /// At most one continuation: called with `context` once ready.
  void attach(void (*run)(void*), void* context) {
    if (ready()) return defer(run, context);
    continuation_ = run;
    context_ = context;
  }

 protected:
  ~future_state_base() { delete error_; }
  void complete(status now) {
    status_ = now;
    if (continuation_ != nullptr) defer(continuation_, context_);
  }
  void throw_error() const {
    if (status_ == status::error) throw remote_error(*error_);
  }

 private:
  void (*continuation_)(void*) = nullptr;
  void* context_ = nullptr;
  std::string* error_ = nullptr;
  unsigned references_ = 1;
  status status_ = status::pending;
};

template <class T>
class future_state final : public future_state_base {
 public:
  future_state() noexcept {}
  ~future_state() {
    if (has_value_) value_.~stored_type();
  }
  future_state(future_state const&) = delete;
  future_state& operator=(future_state const&) = delete;

  template <class... A>
  void set_value(A&&... a) {
    ::new (static_cast<void*>(&value_)) stored_type(std::forward<A>(a)...);
    has_value_ = true;
    complete(status::value);
  }

  T take() {
    throw_error();
    if constexpr (!std::is_void_v<T>) return std::move(value_);
  }

 private:
  using stored_type = stored<T>;
  union {
    stored_type value_;
  };
  bool has_value_ = false;
};

template <class T>
void drop(future_state<T>* state) noexcept {
  if (state != nullptr && state->release()) state->dispose(*state);
}

}  // namespace detail

/// The result of a split-phase request (ARMI §3.3: the opaque handle of sync_rmi). Move-only; used by the location that
/// issued the request only.
template <class T>
class [[nodiscard]] future {
 public:
  future() = default;
  /// Takes over one reference.
  explicit future(detail::future_state<T>* state) noexcept : state_(state) {}
  future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  future& operator=(future&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~future() { detail::drop(state_); }

  /// False after get() or then(), and for a default-constructed future.
  [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }

  /// Whether get() would return at once. Makes no progress: a loop that tests it calls rmi_poll().
  [[nodiscard]] bool ready() const { return checked().ready(); }

  /// Waits for the reply, executing others' requests meanwhile, and returns the result; throws remote_error with the
  /// text when the method threw. May be called in a remotely invoked method, to the nesting limit. Uses the future up.
  T get() {
    auto& state = checked();
    if (!state.ready()) state.wait(state);
    future const last(std::move(*this));
    return last.state_->take();
  }

  /// Calls `f(result)` (`f()` for void) once the reply is here, as a request would be run: never inside another
  /// handler, never concurrently. Returns the future of f's result. If the method threw, f is not called and the
  /// returned future holds the error.
  template <class F>
  auto then(F f);

 private:
  [[nodiscard]] detail::future_state<T>& checked() const {
    if (state_ == nullptr)
      throw usage_error(
          "sheaf: this future was used already or never belonged to a request; get() and then() may be called once");
    return *state_;
  }

  detail::future_state<T>* state_ = nullptr;
};

namespace detail {

template <class T, class F>
auto call_with(future_state<T>& from, F& f) {
  if constexpr (std::is_void_v<T>) {
    from.take();
    return f();
  } else {
    return f(from.take());
  }
}

template <class T, class F>
struct continuation {
  using result = decltype(call_with(std::declval<future_state<T>&>(), std::declval<F&>()));

  future_state<T>* from;
  future_state<result>* to;
  F f;

  continuation(future_state<T>* waited_for, future_state<result>* returned, F call_back)
      : from(waited_for), to(returned), f(std::move(call_back)) {}
  continuation(continuation const&) = delete;
  continuation& operator=(continuation const&) = delete;

  ~continuation() {
    drop(from);
    drop(to);
  }

  static void run(void* self) {
    struct owner {
      continuation* c;
      ~owner() { delete c; }
    } const last{static_cast<continuation*>(self)};
    last.c->call();
  }

 private:
  void call() {
    try {
      if constexpr (std::is_void_v<result>) {
        call_with(*from, f);
        to->set_value();
      } else {
        to->set_value(call_with(*from, f));
      }
    } catch (job_aborted const&) {
      throw;
    } catch (std::exception const& thrown) {
      to->set_error(thrown.what());
    } catch (...) {
      to->set_error("an unknown exception");
    }
  }
};

}  // namespace detail

template <class T>
template <class F>
auto future<T>::then(F f) {
  using step = detail::continuation<T, F>;
  auto& from = checked();
  auto* to = new detail::future_state<typename step::result>;
  to->dispose = [](detail::future_state_base& s) noexcept { delete static_cast<decltype(to)>(&s); };
  to->wait = from.wait;
  to->defer = from.defer;
  to->acquire();
  state_ = nullptr;
  from.attach(&step::run, new step(&from, to, std::move(f)));
  return future<typename step::result>(to);
}

}  // namespace sheaf
