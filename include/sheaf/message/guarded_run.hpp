// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sheaf/base/location_id.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// The text of the exception being handled.
std::string text_of_thrown();

/// The report of the exception being handled: its text, the handler, its location and the caller.
std::string exception_text(location_id here, std::string_view handler, location_id caller);

/// Calls `call`, and `failed` if that throws. Errors that end the job pass through.
[[gnu::always_inline]] inline void call_catching(auto&& call, auto&& failed) {
  try {
    call();
  } catch (ends_job const&) {
    throw;
  } catch (...) {
    failed();
  }
}

/// Throws callback_error for the exception being handled.
[[noreturn]] void throw_thrown_in(char const* what);

/// Calls f, for whose end others wait: an exception of f ends the job.
void call_to_the_end(char const* what, auto f) {
  call_catching(f, [what] { throw_thrown_in(what); });
}

[[noreturn]] void throw_standing(execution const& state);

/// Runs a loop over a run's records. After a method's exception, and `failed()`, the rest of the run goes on.
void run_catching(execution& state, auto loop, auto failed) {
  while (state.at != state.run_end) {
    std::byte const* const from = state.at;
    call_catching(loop, [&] {
      failed();
      if (state.at == from) throw_standing(state);
    });
  }
}

/// As run_catching; keeps exceptions for the next fence.
void run_guarded(location& here, execution& state, auto loop) {
  team_state& team = *state.team;  // the state may have moved on to another run when an exception arrives
  std::string_view const handler = state.handler->name;
  run_catching(state, loop, [&] { here.in().keep_exception(team, handler, state.source); });
}

}  // namespace sheaf::detail
