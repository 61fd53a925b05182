// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/trace_slice.hpp"

#include "base/gate.hpp"
#include "message/parked.hpp"

namespace sheaf::detail {
namespace {

std::uint32_t name_of_run(trace_log& log, handler_entry const& handler) {
  return log.name_of(&handler, trace_event::run, [&] { return readable(handler.name); });
}

}  // namespace

std::size_t begin_traced(endpoint& connection, trace_event what, char const* name, std::uint32_t team) {
  trace_log& log = *connection.trace;
  std::uint32_t const known = log.name_of(name, what, [name] { return name; });
  return log.begin(connection.now(), known, team);
}

std::size_t begin_traced(location& here, handler_entry const& handler, trace_log::run const& what) {
  trace_log& log = *here.connection().trace;
  return log.begin_run(here.connection().now(), name_of_run(log, handler), what);
}

void run_traced(location& here, execution& state) {
  if (state.at == state.run_end) return;
  if (state.kind == traffic::answer || state.handler->carries) return run_handler(here, state.object, state);
  bool const fresh = state.at == state.run_begin;
  std::uint32_t const object = state.object == nullptr ? 0 : state.object_number;
  trace_log::run const what{state.team->id, object, number(state.source), fresh ? state.count : 0};
  trace_slice const slice(here.connection(), begin_traced(here, *state.handler, what));
  gate_break const outside(here.gate());
  run_handler(here, state.object, state);
}

void count_traced_run(location& here, execution const& state, std::uint64_t began) {
  trace_log& log = *here.connection().trace;
  trace_log::run const what{state.team->id, 0, number(state.source), state.count};
  log.run_elsewhere(name_of_run(log, *state.handler), what, here.connection().now() - began);
}

}  // namespace sheaf::detail
