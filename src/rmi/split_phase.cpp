// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/split_phase.hpp"

namespace sheaf::detail {

future_services const location_services{
    [](future_state_base& state) {
      location& here = *ambient_location;
      here.check_may_wait(wait_kind::answer, "future::get");
      here.wait(wait_kind::answer, [&] { return state.ready(); });
    },
    [](void (*run)(void*), void* context) { ambient_location->defer(run, context); }};

bool future_replies::fail(location& here, std::uint32_t token, std::string text) {
  auto* const future = static_cast<future_state_base*>(here.cells().find(token));
  if (future == nullptr || future->awaits == nullptr) return false;
  future->awaits = nullptr;
  --*future->unanswered;
  future->set_error(std::move(text));
  if (future->release()) future->dispose(*future);
  return true;
}

}  // namespace sheaf::detail
