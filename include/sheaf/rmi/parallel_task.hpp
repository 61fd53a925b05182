// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sheaf/async/task.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/handle.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

class parallel_task;

namespace detail {

/// Keeps the exception being handled for the next fence.
void keep_task_exception(team const& on, std::string_view task);

/// While it lives, the task knows its team, number and type.
[[nodiscard]] lease execution_of(parallel_task& task, team const& on, std::uint32_t object, type_token type);

}  // namespace detail

/// Base of an algorithm that runs on all members of a team (ARMI §2.2 and §3.6: parallel_task; 001 §3). The derived
/// class has a method `execute()`, public, which `sheaf::execute` calls. While it runs, the task is a distributed
/// object of the team: `handle_of(*this).async<&p_sort::take>(rank, v)` calls the task of another member.
class parallel_task {
 public:
  parallel_task& operator=(parallel_task&&) = delete;

  /// For the time of its execution, else throw usage_error. Rank and size are ARMI's get_thread_id and get_num_threads.
  [[nodiscard]] team members() const;
  [[nodiscard]] std::uint32_t rank() const { return members().rank(); }

 protected:
  parallel_task() = default;
  ~parallel_task() = default;

 private:
  friend lease detail::execution_of(parallel_task&, team const&, std::uint32_t, detail::type_token);
  template <std::derived_from<parallel_task> T>
  friend handle<T> handle_of(T const& task);
  [[nodiscard]] std::uint32_t number_as(detail::type_token type) const;

  std::optional<team> team_;
  std::uint32_t object_ = 0;
  detail::type_token type_ = nullptr;
};

/// The handle of the tasks that are executed with this one. Throws usage_error for another T than `execute` was given.
template <std::derived_from<parallel_task> T>
handle<T> handle_of(T const& task) {
  return {task.members().id(), task.number_as(detail::token_of<T>())};
}

namespace detail {

template <class Task>
concept executable = std::derived_from<std::remove_reference_t<Task>, parallel_task>;

/// Calls execute(), and waits for its end if it is a coroutine.
auto call_execute(auto& task) {
  if constexpr (is_task<decltype(task.execute())>) {
    return task.execute().get();
  } else {
    return task.execute();
  }
}

}  // namespace detail

/// Collective over the team: every member gives a task of the same class, its own data in it. Registers the tasks,
/// calls `execute()` on each, in the program, so that it may fence and use collectives; ends with a fence of the team.
/// Returns what execute() returned here (of a coroutine: its result). When execute() throws on some members, each still
/// takes part in that fence, which throws remote_error with the texts on every member. But a member must not throw
/// while the others wait for it in a collective call: then the calls do not match.
template <detail::executable Task>
auto execute(Task&& task, team const& on, call_site where = call_site::here()) {
  using task_type = std::remove_reference_t<Task>;
  using result = decltype(detail::call_execute(task));
  registration<task_type> const registered(on, task);
  std::uint32_t const number = handle_of(registered).object_number();
  lease const executed = detail::execution_of(task, on, number, detail::token_of<task_type>());
  std::optional<detail::stored<result>> got;
  auto const call = [&] {
    if constexpr (std::is_void_v<result>) {
      detail::call_execute(task);
    } else {
      got.emplace(detail::call_execute(task));
    }
  };
  detail::call_catching(call, [&] { detail::keep_task_exception(on, detail::handler_name<task_type>()); });
  fence(on, where);
  if constexpr (!std::is_void_v<result>) return std::move(*got);
}

/// Executes the task on all locations.
template <detail::executable Task>
auto execute(Task&& task, call_site where = call_site::here()) {
  return execute(std::forward<Task>(task), world(), where);
}

}  // namespace sheaf
