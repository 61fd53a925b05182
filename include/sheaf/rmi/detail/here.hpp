// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <tuple>
#include <utility>

#include "sheaf/base/error.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/message/lent.hpp"
#include "sheaf/rmi/detail/request.hpp"

/// Calls of a method on an object of the caller's own location, here and now, as a remotely invoked method runs.
namespace sheaf::detail {

/// A method that is called here may keep what is lent to it longer than the caller does.
void own_lent(auto& values) {
  std::apply([](auto&... v) { (lending::own(v), ...); }, values);
}

/// Calls the method; waits for the end of a coroutine. `values` live until then.
template <class Invoker, class... V>
typename Invoker::result result_here(location& here, typename Invoker::object& self, V&&... values) {
  auto const call = [&]() -> decltype(auto) { return Invoker::call(self, std::forward<V>(values)...); };
  if constexpr (Invoker::is_coroutine) {
    return here.in().run_as_method(call).get();
  } else {
    return here.in().run_as_method(call);
  }
}

/// Calls the method here and returns its result to the waiting caller. Throws remote_error if it threw.
template <class Invoker, class... V>
typename Invoker::result call_here(location& here, typename Invoker::object& self, location_id caller, V&&... values) {
  try {
    return result_here<Invoker>(here, self, std::forward<V>(values)...);
  } catch (ends_job const&) {
    throw;
  } catch (...) {
    throw remote_error(exception_text(here.id(), handler_name<async_request<Invoker>>(), caller));
  }
}

/// Calls the method here; `Answer`, of envelope `front`, gets the result or the exception, at the end of a coroutine.
template <class Invoker, class Answer, class Values, class... Front>
void answer_here(asked_call const& asked, void* object, Values&& values, Front... front) {
  own_lent(values);
  Answer answer(asked);
  answer.template open<request<Invoker, Answer>>(asked.here, {}, front...);
  auto& self = *static_cast<typename Invoker::object*>(object);
  auto const call = [&](auto&... v) {
    call_method<Invoker>(asked.here, asked.team, object, self, answer, std::move(v)...);
  };
  asked.here.in().run_as_method(
      [&] { call_catching([&] { std::apply(call, values); }, [&] { answer.exception(asked.here); }); });
}

}  // namespace sheaf::detail
