// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/detail/futures.hpp"

#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

void future_calls::wait(future_state_base& state, call_site where) {
  location& here = current("future::get", where);
  here.check_may_wait(wait_kind::answer, "future::get", where);
  wait_site const site{.what = "future::get", .for_what = awaited::answer, .from = where, .future = &state};
  here.wait(wait_kind::answer, site, [&] { return state.ready(); });
}

void future_calls::poll() {
  if (ambient_location != nullptr) ambient_location->poll();
}

void future_calls::defer(void (*run)(void*), void* context, task_frame const* resumes, std::uint64_t scope) {
  current("then").in().defer(run, context, resumes, run_scope(scope));
}
std::uint64_t future_calls::scope() { return ambient_location == nullptr ? 0 : ambient_location->out().scope().word(); }
void future_calls::recall(void* context) noexcept {
  if (ambient_location != nullptr) ambient_location->in().recall(context);
}
void future_calls::keep(task_frame& frame) {
  if (ambient_location == nullptr)
    throw usage_error("sheaf: a task became a future outside of sheaf::run; convert it inside the job");
  ambient_location->calls().coroutines.add(frame);
}
void future_calls::keep_for(task_frame& frame, void (*run)(void*)) {
  if (ambient_location == nullptr) return frame.destroy();  // the job is over
  admission const inside(ambient_location->gate());         // an attached thread's frame may go as soon as it is kept
  ambient_location->calls().coroutines.add(frame);
  ambient_location->in().defer(run, &frame);
}

future_services const* services_here() noexcept {
  if (ambient_location == nullptr) return nullptr;
  bool const own = ambient_location->gate() == nullptr || !ambient_location->by_outsider();
  return own ? &location_services : &outside_services;
}

}  // namespace sheaf::detail
