// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "sheaf/async/detail/cell_pool.hpp"
#include "sheaf/base/call_site.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/base/shared_word.hpp"

namespace sheaf {

template <class T>
class future;

namespace detail {

/// An error that no get() will throw any more. A continuation of its own throws it, and the next fence reports it.
class unseen_error : public error {
 public:
  unseen_error(std::string const& text, std::uint64_t const* counted_by) : error(text), unanswered(counted_by) {}
  std::uint64_t const* unanswered;  ///< counts the request that it came from; null: unknown
};

/// Calls `call`; if it throws, calls `failed` with the text. Errors that end the job pass through.
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

/// An error of an answer that this count counted may be reported later. Defined where locations are.
void may_be_told_late(std::uint64_t const* unanswered) noexcept;

/// The functions that the layer above provides for future states; one object for all states of a kind.
struct future_services {
  /// Runs others' requests until the state is ready.
  void (*wait)(future_state_base&, call_site where);
  /// As sheaf::poll(), if this thread is a location's now.
  void (*poll)();
  /// Runs `run(context)` where requests may run. It resumes the coroutine `resumes`; null: none.
  void (*defer)(void (*run)(void*), void* context, task_frame const* resumes, std::uint64_t scope);
  /// The present scope, for `defer`: a continuation runs in the scope in which it was attached.
  std::uint64_t (*scope)();
  /// Takes back what was deferred with this context, if it has not begun.
  void (*recall)(void* context) noexcept;
  /// Destroys the frame with the location at the latest (task.hpp).
  void (*keep)(task_frame&);
  /// Keeps a frame that `run` will destroy before the location ends, where requests may run.
  void (*keep_for)(task_frame&, void (*run)(void* frame));
  /// False: its states take no continuations, since another thread may complete them.
  bool continues = true;
};

/// Whether this state of a future or frame of a task is ready. If not, polls once, after which it may be gone.
bool ready_or_poll(auto const& asked) {
  if (asked.ready()) return true;
  if (asked.services != nullptr) asked.services->poll();
  return false;
}

/// The first part of a continuation. `run` is called with its address.
struct deferred_step {
  void (*run)(void*);
  task_frame const* resumes = nullptr;  ///< the coroutine; null: it resumes none
  std::uint64_t scope = 0;              ///< in which it goes on
};

/// State that a future shares with the reply that will fill it. Belongs to one location. Another thread may complete
/// it: whoever sees the changed status sees the result, too. One cache line if the result is small. The question's run
/// knows whom it asks (question_run).
class future_state_base {
 public:
  [[nodiscard]] bool ready() const noexcept { return (word_.acquire() & (has_value_bit | failed)) != 0; }
  [[nodiscard]] bool succeeded() const noexcept { return (word_.acquire() & has_value_bit) != 0; }
  void set_error(std::string text) {
    deferred_step* const next = continuation();
    error_ = new std::string(std::move(text));
    may_be_told_late(unanswered);
    complete(failed, next);
  }

  void acquire() noexcept { word_.relax(word_.relaxed() + one_reference); }
  /// True: no reference is left. An unseen error keeps the state until it has been reported, if the job goes on. A
  /// state that another thread may complete has one reference, and its `dispose` sees an error that comes later.
  bool release() noexcept {
    if (services == nullptr || services->continues) {
      word_.relax(word_.relaxed() - one_reference);
      if ((word_.relaxed() & references) != 0) return false;
    }
    return (word_.acquire() & failed) == 0 || release_error();
  }
  /// Destroys an unreferenced state whose type is not known. It has no value.
  void end() noexcept;

  future_services const* services = nullptr;

  /// The count of unanswered requests that the reply decrements. Continuations inherit it, for their errors.
  std::uint64_t* unanswered = nullptr;

  /// For a state that is not in a cell: destroys it and frees its memory.
  void (*dispose)(future_state_base&) noexcept;

  /// Whether it is a coroutine's frame. The last reference ends any other state.
  [[nodiscard]] bool is_frame() const noexcept { return (word_.relaxed() & frame) != 0; }

  /// Attaches the only continuation, which runs once the state is ready.
  void attach(deferred_step* step) {
    step->scope = services->scope();
    if (ready()) return services->defer(step->run, step, step->resumes, step->scope);
    next_ = step;
    word_.relax(word_.relaxed() | continued);
  }
  /// Takes back what was attached and has not begun.
  void withdraw(deferred_step* step) noexcept {
    if (ready()) return services->recall(step);
    word_.relax(word_.relaxed() & ~continued);
  }

 protected:
  /// All but the result in one word: the references and these bits. So the common case is one comparison.
  static constexpr std::uint32_t one_reference = 1, references = 3;  ///< two at most: the future, and who completes it
  static constexpr std::uint32_t has_value_bit = 1U << 2U;           ///< this and `failed` are written last
  static constexpr std::uint32_t failed = 1U << 3U;
  static constexpr std::uint32_t continued = 1U << 4U;  ///< until ready: `next_` is there
  static constexpr std::uint32_t seen = 1U << 5U;       ///< the error has been thrown
  static constexpr std::uint32_t in_cell = 1U << 6U;    ///< its memory is a location's cell
  static constexpr std::uint32_t frame = 1U << 7U;

  explicit future_state_base(std::uint32_t kind) noexcept : word_(one_reference | kind) {}
  /// A state in a cell, with two references: the future's and the reply's.
  future_state_base(future_services const& by, std::uint64_t* counted_by) noexcept
      : services(&by), unanswered(counted_by), word_(2 * one_reference | in_cell) {}
  ~future_state_base() {
    if (has_error()) [[unlikely]]
      delete_error();
  }
  [[nodiscard]] bool has_error() const noexcept { return (word_.relaxed() & failed) != 0; }
  [[nodiscard]] bool has_value() const noexcept { return (word_.relaxed() & has_value_bit) != 0; }
  [[nodiscard]] bool is_in_cell() const noexcept { return (word_.relaxed() & in_cell) != 0; }
  /// The value is there: makes the state ready. The reply keeps its reference.
  void complete() { complete(has_value_bit, continuation()); }
  /// The value is there: makes the state ready and drops the reply's reference. False: not the common case, and nothing
  /// has happened.
  [[nodiscard]] bool answer_simply() noexcept {
    if (word_.relaxed() != (2 * one_reference | in_cell)) return false;
    word_.release(one_reference | in_cell | has_value_bit);
    return true;
  }
  [[nodiscard]] bool answered_simply() const noexcept {
    return word_.acquire() == (one_reference | in_cell | has_value_bit);
  }
  /// The text of an error that nobody has seen; else null.
  [[nodiscard]] std::string const* unseen_text() const noexcept {
    return (word_.acquire() & (failed | seen)) == failed ? error_ : nullptr;
  }
  void throw_error() {
    if (!has_error()) return;
    word_.relax(word_.relaxed() | seen);
    throw remote_error(*error_);
  }

 private:
  [[nodiscard]] deferred_step* continuation() const noexcept {
    return (word_.relaxed() & continued) != 0 ? next_ : nullptr;
  }
  void complete(std::uint32_t how, deferred_step* next) {
    word_.release((word_.relaxed() & ~continued) | how);
    if (next != nullptr) services->defer(next->run, next, next->resumes, next->scope);
  }

  [[gnu::cold, gnu::noinline]] void delete_error() noexcept { delete error_; }
  [[gnu::cold, gnu::noinline]] bool release_error() noexcept {
    if (unseen_text() == nullptr || services == nullptr) return true;
    if (services->continues) acquire();
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
    self.word_.relax(self.word_.relaxed() | seen);
    self.end();
    throw told;
  }

  union {
    deferred_step* next_;  // while continued
    std::string* error_;   // once failed
  };
  shared_word<std::uint32_t> word_;
};

/// Room for a result (`Inside`), or for the address of a larger one.
template <class T, bool Inside = sizeof(T) <= 24 && alignof(T) <= 8>
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
  /// Its maker sets `dispose`.
  future_state() noexcept : future_state_base(0) {}
  future_state(future_services const& by, std::uint64_t* counted_by) noexcept : future_state_base(by, counted_by) {}
  ~future_state() {
    if constexpr (!result_room<stored<T>>::trivial) {
      if (has_value()) result_.destroy();
    }
  }
  using future_state_base::answered_simply;
  using future_state_base::has_value;
  future_state& operator=(future_state&&) = delete;

  /// The last reference is gone: destroys the state.
  void end() noexcept {
    if (!is_in_cell()) return dispose(*this);
    this->~future_state();
    cell_pool::give_back(this);
  }
  /// `release` and `end` together, for a state that is answered_simply().
  void end_simply() noexcept {
    result_.destroy();
    cell_pool::give_back(this);
  }

  template <class... A>
  void set_value(A&&... a) {
    set_from([&] { return stored<T>(std::forward<A>(a)...); });
  }
  template <class Make>
  void set_from(Make make) {
    result_.keep(make);
    complete();
  }
  /// As set_from, and drops the reply's reference.
  template <class Make>
  void answer(Make make) {
    result_.keep(make);
    if (!answer_simply()) [[unlikely]]
      answer_slowly();
  }

  /// Stores what `f()` returns, or the text of what it throws. Errors that end the job pass through.
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
  [[gnu::noinline]] void answer_slowly() {
    complete();
    if (release()) end();
  }

  result_room<stored<T>> result_;
};
static_assert(sizeof(future_state<std::uint64_t>) <= 64);

inline void future_state_base::end() noexcept {
  if (!is_in_cell()) return dispose(*this);
  this->~future_state_base();
  cell_pool::give_back(this);
}

[[noreturn, gnu::cold]] void throw_used(packed_call_site where);

struct async_parts;
inline constexpr char const* no_task_future_text =
    "sheaf: a task of an attached thread cannot become a future: only the location's own thread runs continuations; "
    "call get()";
inline constexpr char const* no_continuation_text =
    "sheaf: then() and co_await cannot be used on an attached thread: only the location's own thread runs "
    "continuations; call get()";

/// A pointer on which its owner calls `End` in the end. Move-only. (<memory> is too long for this header.)
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
  if (state->release()) state->end();
}
template <class T>
using state_owner = owned<future_state<T>, &drop<T>>;

/// A state outside cells, for the result of a continuation or coroutine that follows `after`.
template <class T>
state_owner<T> new_state(future_state_base const& after) {
  auto* const made = new future_state<T>;
  made->dispose = [](future_state_base& s) noexcept { delete static_cast<future_state<T>*>(&s); };
  made->services = after.services;
  made->unanswered = after.unanswered;
  return state_owner<T>(made);
}

}  // namespace detail

/// The result of a split-phase request (ARMI §3.3: the opaque handle of sync). Move-only; only the location that issued
/// the request may use it. A coroutine may `co_await` it, which uses it up as get() does (task.hpp). If a future is
/// destroyed without get(), then() or co_await, its error is not lost: the next fence of the request's team throws it,
/// as for an asynchronous request. After sheaf::run, get() returns a result that has come, else throws usage_error.
template <class T>
class [[nodiscard]] future {
 public:
  using value_type = T;

  future() = default;
  /// Takes over one reference.
  explicit future(detail::future_state<T>* state) noexcept : state_(state) {}

  /// False after get() or then(), and for a default-constructed future.
  [[nodiscard]] bool valid() const noexcept { return state_.get() != nullptr; }

  /// Whether get() would return at once. If not, it polls once and returns false, so that the program may test it in a
  /// loop: others' requests may run, and errors that end the job may come out, as of poll(). In a remotely invoked
  /// method or resumed coroutine a poll executes nothing: use get() or co_await there.
  [[nodiscard]] bool ready(call_site where = call_site::here()) const { return detail::ready_or_poll(checked(where)); }

  /// Waits for the reply, executing others' requests meanwhile, and returns the result; throws remote_error with the
  /// text when the method threw. May be called in a remotely invoked method, to the nesting limit. Invalidates the
  /// future.
  T get(call_site where = call_site::here()) {
    auto& state = checked(where);
    if (!state.answered_simply()) [[unlikely]] {
      if (!state.ready()) state.services->wait(state, where);
      return detail::state_owner<T>(std::move(state_))->take();
    }
    struct last {
      detail::future_state<T>* state;
      ~last() { state->end_simply(); }
    } const used_up{state_.release()};
    return used_up.state->take_value();
  }

  /// Calls `f(result)` (`f()` for void) once the reply is here, when a request could run: never inside another handler,
  /// never concurrently. Returns the future of f's result, or, if the method threw, of the error without calling f.
  template <class F>
  auto then(F f);

 private:
  friend struct detail::async_parts;

  [[nodiscard]] detail::future_state<T>& checked(detail::packed_call_site where = call_site()) const {
    if (!valid()) [[unlikely]]
      detail::throw_used(where);
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
