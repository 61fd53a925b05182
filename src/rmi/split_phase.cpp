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

void throw_no_future(execution const& state, std::uint32_t token) {
  throw wire_error("sheaf: location " + std::to_string(number(state.source)) + " answered token " +
                   std::to_string(token) + ", which no future of this type awaits");
}

void future_error::run(location& here, void*, execution& state) {
  using record = arguments_codec<std::uint32_t, std::string>;
  while (state.at != state.run_end) {
    auto [token, text] = take_record(state, [](byte_reader& reader) { return record::decode(reader); });
    auto* const future = static_cast<future_state_base*>(here.cells().find(token));
    if (future == nullptr || future->awaits == nullptr) throw_no_future(state, token);
    future->awaits = nullptr;
    --*future->unanswered;
    future->set_error(std::move(text));
    if (future->release()) future->dispose(*future);
  }
}

}  // namespace sheaf::detail
