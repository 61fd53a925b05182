// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/base/shared_word.hpp"

namespace sheaf {

template <class T>
class future;

namespace detail {

/// An error that no get() will tell any more: thrown by a continuation of its own, and kept until the next fence.
class unseen_error : public error {
 public:
  unseen_error(std::string const& text, std::uint64_t const* counted_by) : error(text), unanswered(counted_by) {}
  std::uint64_t const* unanswered;  ///< the count of the request that it came from; null: unknown
};

/// Calls `call`, and where that throws, `failed` with the text. What ends the job passes.
template <class Call, class Failed>
void call_telling(Call call, Failed failed) {
  try {
    call();
  } catch (ends_job const&) {
    throw;
  } catch (std::exception const& thrown) {
    failed(thrown.what());
  } catch (...) {
    failed("an unknown exception");
  }
}

struct unit {};
template <class T>
using stored = std::conditional_t<std::is_void_v<T>, unit, T>;

class future_state_base;
class task_frame;

/// An error of an answer that this count was for may be told later. Defined where locations are.
void may_be_told_late(std::uint64_t const* unanswered) noexcept;

/// What a state says of whom it asks, for reports.
enum class asked_kind : unsigned char {
  member,     ///< an object of a team: of the member `asked`, or of all members
  published,  ///< an object that the location `asked` published
  migrating   ///< an object that the member `asked` created, wherever it is
};

/// What the layer that makes states does for them; one object for all that wait for the same.
struct future_services {
  /// Runs others' requests until the state is ready.
  void (*wait)(future_state_base&, call_site where);
  /// Runs `run(context)` where requests may run; that resumes a coroutine or, with null, does something else.
  void (*defer)(void (*run)(void*), void* context, task_frame const* resumes, std::uint64_t scope);
  /// What `defer` is to be given as `scope`, so that what is attached now goes on in the scope of who attaches it.
  std::uint64_t (*scope)();
  /// Takes back what was deferred with this context, if it has not begun.
  void (*recall)(void* context) noexcept;
  /// Destroys the frame with the location at the latest (task.hpp).
  void (*keep)(task_frame&);
  /// Keeps a frame that `run` will destroy before the location ends, where requests may run.
  void (*keep_for)(task_frame&, void (*run)(void* frame));
  /// False: its states take no continuations, since another thread may complete them.
  bool continues = true;
  /// Of the requests that the states await the answers of; null: of none.
  std::uint32_t const* handler = nullptr;
  asked_kind kind = asked_kind::member;
};

/// Whom a state that is made asks.
struct asked_for {
  std::uint64_t* unanswered;  ///< the count of the team
  void const* awaits;
  std::uint64_t rank, object;
};

/// What a continuation begins with. `run` is called with the address of this.
struct deferred_step {
  void (*run)(void*);
  task_frame const* resumes = nullptr;  ///< the coroutine; null: it resumes none
  std::uint64_t scope = 0;              ///< in which it goes on
};

/// What a future and the reply that will fill it share. Belongs to one location. Another thread may complete it: who
/// sees the status changed sees the result, too. One cache line where the result is small.
class future_state_base {
 public:
  enum class status : unsigned char { pending, value, error };

  [[nodiscard]] bool ready() const noexcept { return now() != status::pending; }
  [[nodiscard]] bool succeeded() const noexcept { return now() == status::value; }
  void set_error(std::string text) {
    deferred_step* const next = next_;
    error_ = new std::string(std::move(text));
    may_be_told_late(unanswered);
    complete(status::error, next);
  }

  void acquire() noexcept { ++references_; }
  /// Releases a state that has a value. True: nobody is left.
  bool release_value() noexcept { return --references_ == 0; }
  /// True: nobody is left. An error that nobody has seen keeps the state until it has been told, if the job goes on.
  /// Where another thread may complete the state, `dispose` sees an error that comes later.
  bool release() noexcept {
    if (--references_ != 0) return false;
    return now() != status::error || release_error();
  }

  /// Destroys the state and returns its memory to where it came from.
  void (*dispose)(future_state_base&) noexcept = nullptr;
  future_services const* services = nullptr;

  /// The count of unanswered requests that the reply reduces. Continuations pass it on: their error belongs there.
  std::uint64_t* unanswered = nullptr;

  /// For reports: the identity of the type that a request's answer brings. Null: a coroutine or continuation does.
  void const* awaits = nullptr;

  /// The rank, in its team, of whom the state awaits the answer of, and the number of the object; for reports.
  void ask(std::uint64_t rank, std::uint64_t object) noexcept {
    asked_ = short_rank(rank);
    object_ = static_cast<std::uint32_t>(object) & ~seen;
  }
  static constexpr std::uint16_t unknown_rank = 0xffff;
  [[nodiscard]] std::uint32_t asked() const noexcept { return asked_; }
  [[nodiscard]] std::uint32_t object_asked() const noexcept { return object_ & ~seen; }
  /// Whether it is a coroutine's frame. All other states can be disposed of by who has the last reference.
  [[nodiscard]] bool is_frame() const noexcept { return dispose == nullptr; }

  /// At most one continuation: runs once ready.
  void attach(deferred_step* step) {
    step->scope = services->scope();
    if (ready()) return services->defer(step->run, step, step->resumes, step->scope);
    next_ = step;
  }
  /// Takes back what was attached and has not begun.
  void withdraw(deferred_step* step) noexcept {
    if (ready()) return services->recall(step);
    next_ = nullptr;
  }

 protected:
  future_state_base() noexcept : next_(nullptr) {}
  /// Of a future and of the reply, whose reference is taken already.
  future_state_base(void (*disposes)(future_state_base&) noexcept, future_services const& by,
                    asked_for const& of) noexcept
      : dispose(disposes),
        services(&by),
        unanswered(of.unanswered),
        awaits(of.awaits),
        next_(nullptr),
        references_(2),
        asked_(short_rank(of.rank)),
        object_(static_cast<std::uint32_t>(of.object) & ~seen) {}
  ~future_state_base() {
    if (has_error()) [[unlikely]]
      delete_error();
  }
  [[nodiscard]] bool has_error() const noexcept { return status_.relaxed() == status::error; }
  void complete(status now) { complete(now, next_); }
  /// Of an error that nobody has seen; else null.
  [[nodiscard]] std::string const* unseen_text() const noexcept {
    return now() == status::error && (object_ & seen) == 0 ? error_ : nullptr;
  }
  [[nodiscard]] bool has_value() const noexcept { return status_.relaxed() == status::value; }
  void throw_error() {
    if (!has_error()) return;
    object_ |= seen;
    throw remote_error(*error_);
  }

 private:
  [[nodiscard]] status now() const noexcept { return status_.acquire(); }
  static constexpr std::uint16_t short_rank(std::uint64_t rank) noexcept {
    return rank < unknown_rank ? static_cast<std::uint16_t>(rank) : unknown_rank;
  }

  void complete(status now, deferred_step* next) {
    status_.release(now);
    if (next != nullptr) services->defer(next->run, next, next->resumes, next->scope);
  }

  [[gnu::cold, gnu::noinline]] void delete_error() noexcept { delete error_; }
  [[gnu::cold, gnu::noinline]] bool release_error() noexcept {
    if (unseen_text() == nullptr || services == nullptr) return true;
    references_ = 1;
    try {
      services->defer(&tell_unseen, this, nullptr, 0);
    } catch (error const&) {  // the job is over
      return true;
    }
    return false;
  }

  static void tell_unseen(void* state) {
    auto& self = *static_cast<future_state_base*>(state);
    unseen_error const told(*self.error_, self.unanswered);
    self.object_ |= seen;
    self.dispose(self);
    throw told;
  }

  union {
    deferred_step* next_;  // until ready
    std::string* error_;   // once failed
  };
  static constexpr std::uint32_t seen = 1U << 31U;  ///< in `object_`: the error has been thrown

  unsigned char references_ = 1;                 // two at most: the future, and who completes it
  shared_word<status> status_{status::pending};  // who reads it relaxed has seen it change (ready) before
  std::uint16_t asked_ = unknown_rank;
  std::uint32_t object_ = 0;
};

/// Room for a result (`Inside`), or for the address of a larger one.
template <class T, bool Inside = sizeof(T) <= 16 && alignof(T) <= 8>
class result_room {
 public:
  static constexpr bool trivial = Inside && std::is_trivially_destructible_v<T>;  ///< nothing to destroy
  result_room() noexcept {}
  ~result_room() {}
  /// `make()` is what is kept; it is not copied.
  template <class Make>
  void keep(Make make) {
    if constexpr (Inside) {
      ::new (static_cast<void*>(&held_)) T(make());
    } else {
      held_ = new T(make());
    }
  }
  T& get() noexcept {
    if constexpr (Inside) {
      return held_;
    } else {
      return *held_;
    }
  }
  void destroy() noexcept {
    if constexpr (Inside) {
      held_.~T();
    } else {
      delete held_;
    }
  }

 private:
  union {
    std::conditional_t<Inside, T, T*> held_;
  };
};

template <class T>
class future_state : public future_state_base {
 public:
  future_state() noexcept {}
  future_state(void (*disposes)(future_state_base&) noexcept, future_services const& by, asked_for const& of) noexcept
      : future_state_base(disposes, by, of) {}
  ~future_state() {
    if constexpr (!result_room<stored<T>>::trivial) {
      if (has_value()) result_.destroy();
    }
  }
  using future_state_base::has_value;
  /// The destructor would do nothing.
  [[nodiscard]] bool holds_nothing() const noexcept { return result_room<stored<T>>::trivial && !has_error(); }
  future_state& operator=(future_state&&) = delete;

  template <class... A>
  void set_value(A&&... a) {
    set_from([&] { return stored<T>(std::forward<A>(a)...); });
  }
  template <class Make>
  void set_from(Make make) {
    result_.keep(make);
    complete(status::value);
  }

  /// What `f()` returns, or the text of what it throws; what ends the job passes.
  template <class F>
  void set_from_call(F f) {
    auto const call = [&] {
      if constexpr (std::is_void_v<T>) {
        f();
        set_value();
      } else {
        set_value(f());
      }
    };
    call_telling(call, [this](char const* why) { set_error(why); });
  }

  T take() {
    throw_error();
    return take_value();
  }
  T take_value() {
    if constexpr (!std::is_void_v<T>) return std::move(result_.get());
  }

 private:
  result_room<stored<T>> result_;
};
static_assert(sizeof(future_state<std::uint64_t>) <= 64);

struct async_parts;
inline constexpr char const* no_task_future_text =
    "sheaf: a task of an attached thread became a future; the location's own thread runs what follows: get() the task";
inline constexpr char const* no_continuation_text =
    "sheaf: then() on a future of an attached thread, or co_await in a coroutine there: continuations are run by the "
    "location's own thread; call get() and go on from there";

/// A pointer whose owner calls `End` with it at last. Move-only. (<memory> is too long for this header.)
template <class T, void (*End)(T*) noexcept>
class owned {
 public:
  owned() = default;
  explicit owned(T* what) noexcept : what_(what) {}
  owned(owned&& other) noexcept : what_(other.release()) {}
  owned& operator=(owned&& other) noexcept {
    std::swap(what_, other.what_);
    return *this;
  }
  ~owned() {
    if (what_ != nullptr) End(what_);
  }
  [[nodiscard]] T* get() const noexcept { return what_; }
  T* release() noexcept { return std::exchange(what_, nullptr); }
  T* operator->() const noexcept { return what_; }
  T& operator*() const noexcept { return *what_; }

 private:
  T* what_ = nullptr;
};

template <class T>
void delete_it(T* what) noexcept {
  delete what;
}

template <class T>
void drop(future_state<T>* state) noexcept {
  if (state->release()) state->dispose(*state);
}
template <class T>
using state_owner = owned<future_state<T>, &drop<T>>;

/// A state of its own, in which a continuation or a coroutine goes on from another one.
template <class T>
state_owner<T> new_state(future_state_base const& after) {
  auto* const made = new future_state<T>;
  made->dispose = [](future_state_base& s) noexcept { delete static_cast<future_state<T>*>(&s); };
  made->services = after.services;
  made->unanswered = after.unanswered;
  return state_owner<T>(made);
}

}  // namespace detail

/// The result of a split-phase request (ARMI §3.3: the opaque handle of sync_rmi). Move-only; used by the location that
/// issued the request only. A coroutine may `co_await` it, which uses it up as get() does (task.hpp). The error of one
/// that is destroyed without get(), then() or co_await is not lost: the next fence of the request's team throws it, as
/// for an asynchronous request. After sheaf::run, get() gives the result that came; if there is none, a usage_error.
template <class T>
class [[nodiscard]] future {
 public:
  using value_type = T;

  future() = default;
  /// Takes over one reference.
  explicit future(detail::future_state<T>* state) noexcept : state_(state) {}

  /// False after get() or then(), and for a default-constructed future.
  [[nodiscard]] bool valid() const noexcept { return state_.get() != nullptr; }

  /// Whether get() would return at once. Makes no progress: a loop that tests it calls rmi_poll().
  [[nodiscard]] bool ready() const { return checked().ready(); }

  /// Waits for the reply, executing others' requests meanwhile, and returns the result; throws remote_error with the
  /// text when the method threw. May be called in a remotely invoked method, to the nesting limit. Uses the future up.
  T get(call_site where = call_site::here()) {
    auto& state = checked();
    if (!state.succeeded()) [[unlikely]] {
      if (!state.ready()) state.services->wait(state, where);
      if (!state.has_value()) return detail::state_owner<T>(std::move(state_))->take();
    }
    struct last {
      detail::future_state<T>* state;
      ~last() {
        if (state->release_value()) state->dispose(*state);
      }
    } const used_up{state_.release()};
    return used_up.state->take_value();
  }

  /// Calls `f(result)` (`f()` for void) once the reply is here, as a request would be run: never inside another
  /// handler, never concurrently. Returns the future of f's result, or, uncalled, of the error if the method threw.
  template <class F>
  auto then(F f);

 private:
  friend struct detail::async_parts;

  [[nodiscard]] detail::future_state<T>& checked() const {
    if (!valid())
      throw usage_error(
          "sheaf: this future was used already or never belonged to a request; get() and then() may be called once");
    return *state_;
  }

  detail::state_owner<T> state_;
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
struct continuation : deferred_step {
  using result = decltype(call_with(std::declval<future_state<T>&>(), std::declval<F&>()));

  F f;
  state_owner<result> to;
  state_owner<T> from;  // once it is attached

  continuation(future_state<result>* returned, F&& call_back)
      : deferred_step{&run_last}, f(std::move(call_back)), to(returned) {
    to->acquire();
  }

 private:
  static void run_last(void* step) {
    owned<continuation, &delete_it> const last(static_cast<continuation*>(static_cast<deferred_step*>(step)));
    last->to->set_from_call([&] { return call_with(*last->from, last->f); });
  }
};

}  // namespace detail

template <class T>
template <class F>
auto future<T>::then(F f) {
  using step = detail::continuation<T, F>;
  auto& from = checked();
  if (!from.services->continues) throw usage_error(detail::no_continuation_text);
  auto to = detail::new_state<typename step::result>(from);
  detail::owned<step, &detail::delete_it> own(new step(to.get(), std::move(f)));
  from.attach(own.get());  // where this throws, the future is as it was
  own.release()->from = std::move(state_);
  return future<typename step::result>(to.release());
}

}  // namespace sheaf
