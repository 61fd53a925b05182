// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/async/future.hpp"

namespace sheaf {

/// A coroutine, and its result. A function or method that returns one may `co_await` futures, tasks and when_all: then
/// it suspends, and resumes where requests may run, as a continuation: never inside a method, never at the same time as
/// one, and nothing else of the location runs until it suspends again or ends.
///
///     sheaf::task<int> sum_of_two(counter& c) {
///       auto a = c.ask<&counter::get>(1), b = c.ask<&counter::get>(2);
///       co_return co_await a + co_await b;
///     }
///
/// It begins when it is called and runs in the caller up to where it first suspends. co_await uses its operand up, and
/// throws in the coroutine what get() would. A task belongs to the location that called it. Destroying a task that has
/// not ended destroys the coroutine, with what it awaits; convert it to a future to let it run on. Move-only. Costs one
/// allocation, the coroutine's frame.
template <class T = void>
class [[nodiscard]] task {
 public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;

  task() = default;
  explicit task(promise_type& frame) noexcept : frame_(&frame) {}

  /// False after get(), co_await and a conversion, and for a default-constructed task.
  [[nodiscard]] bool valid() const noexcept { return frame_.get() != nullptr; }

  /// Whether it has ended. If not, it polls once, as future::ready.
  [[nodiscard]] bool ready(call_site where = call_site::here()) const { return detail::ready_or_poll(checked(where)); }

  /// Waits for its end as future::get does, and returns the result; throws what the coroutine threw. Uses the task up.
  T get(call_site where = call_site::here()) {
    auto& frame = checked(where);
    if (!frame.ready()) frame.services->wait(frame, where);
    task const last(std::move(*this));
    return last.frame_->take();
  }

  /// A future of the result, as of a request: the coroutine goes on whether the future is kept or not; its exception
  /// becomes a remote_error, which a fence throws if the future is dropped. Only in a job (usage_error).
  operator future<T>() && {
    auto& frame = checked();
    if (frame.services == nullptr)
      throw usage_error("sheaf: a task became a future outside of sheaf::run; convert it inside the job");
    if (!frame.services->continues) throw usage_error(detail::no_task_future_text);
    future<T> result = detail::future_of(frame);
    frame_.release();
    return result;
  }

 private:
  friend struct detail::async_parts;

  [[nodiscard]] promise_type& checked(call_site where = {}) const {
    if (!valid()) detail::throw_used(where);
    return *frame_;
  }

  detail::owned<promise_type, &detail::abandon<T>> frame_;
};

namespace detail {

/// The result type that the caller of a method returning R gets.
template <class R>
struct awaited_result {
  using type = R;
};
template <class T>
struct awaited_result<task<T>> {
  using type = T;
};
template <class R>
inline constexpr bool is_task = !std::is_same_v<R, typename awaited_result<R>::type>;

/// Awaits a future or a task, and uses it up.
template <class F>
class awaiter : public awaiting {
 public:
  awaiter(F&& of, task_frame& who, call_site where)
      : awaiting(async_parts::state_of(of), who, where), of_(std::move(of)) {}
  ~awaiter() { this->leave(); }
  auto await_resume() { return of_.get(); }

 private:
  F of_;
};

template <class T>
auto task_promise_base<T>::get_return_object() noexcept {
  return task<T>(static_cast<task_promise<T>&>(*this));
}
template <class T>
template <class F>
requires can_be_awaited<std::remove_reference_t<F>>
auto task_promise_base<T>::await_transform(F&& f, call_site where) {
  return awaiter<std::remove_reference_t<F>>(std::move(f), *this, where);
}

/// The result of a future or task, for when_all's tuple.
template <class F>
stored<typename F::value_type> taken(F& f) {
  if constexpr (std::is_void_v<typename F::value_type>) {
    f.get();
    return {};
  } else {
    return f.get();
  }
}

template <class... F>
task<std::tuple<stored<typename F::value_type>...>> join(F... each) {
  future_state_base* const all[] = {&async_parts::state_of(each)...};
  for (future_state_base* const one : all) co_await settled{one};
  co_return std::tuple<stored<typename F::value_type>...>{taken(each)...};
}

template <class F, class T = typename F::value_type>
task<std::conditional_t<std::is_void_v<T>, void, std::vector<stored<T>>>> join_all(std::vector<F> each) {
  for (F const& f : each) co_await settled{&async_parts::state_of(f)};
  if constexpr (std::is_void_v<T>) {
    for (F& f : each) f.get();
  } else {
    std::vector<T> results;
    results.reserve(each.size());
    for (F& f : each) results.push_back(f.get());
    co_return results;
  }
}

}  // namespace detail

/// A task that ends when all of these futures and tasks are ready: `auto [a, b] = co_await when_all(f(), g())`. Its
/// result is the tuple of theirs (an empty struct for void). If some failed, it throws the first one's exception after
/// all have ended; a fence throws those of the other futures, as for dropped ones. Uses them up.
template <class... F>
requires(sizeof...(F) > 0 && (detail::can_be_awaited<std::remove_cvref_t<F>> && ...)) auto when_all(F&&... each) {
  return detail::join(std::remove_cvref_t<F>(std::move(each))...);
}

/// A task that ends when all futures or tasks of the vector are ready: their results in a vector, or nothing for void.
template <class F>
requires detail::can_be_awaited<F>
auto when_all(std::vector<F> each) { return detail::join_all(std::move(each)); }

}  // namespace sheaf
