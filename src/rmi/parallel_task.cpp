// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/parallel_task.hpp"

#include <string>

namespace sheaf {

team parallel_task::members() const {
  if (!team_)
    throw usage_error(
        "sheaf: a parallel_task was asked for its team, rank or handle while nobody executes it; ask in execute() and "
        "in what that calls");
  return *team_;
}

std::uint32_t parallel_task::number_as(detail::type_token type) const {
  if (type == type_) return object_;
  throw usage_error(
      "sheaf: handle_of(*this) in another class than the one that sheaf::execute was given; name that class, as in "
      "handle_of(static_cast<p_sort const&>(*this))");
}

namespace detail {

void keep_task_exception(team const& on, std::string_view task) {
  here_of(on).in().keep_exception(state_of(on), "execute() of " + std::string(task), here_of(on).id());
}

lease execution_of(parallel_task& task, team const& on, std::uint32_t object, type_token type) {
  if (task.team_)
    throw usage_error("sheaf: execute() was called on a parallel_task that is being executed, by team " +
                      std::to_string(task.team_->id()) + "; give each execute() a task of its own");
  task.team_.emplace(on);
  task.object_ = object;
  task.type_ = type;
  return {[](void* ended) { static_cast<parallel_task*>(ended)->team_.reset(); }, &task};
}

}  // namespace detail
}  // namespace sheaf
