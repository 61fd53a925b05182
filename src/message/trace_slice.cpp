// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/trace_slice.hpp"

#include "base/gate.hpp"
#include "base/trace_log.hpp"

namespace sheaf::detail {
namespace {

char const* name_of(wait_kind kind) {
  switch (kind) {
    case wait_kind::answer:
      return "for an answer";
    case wait_kind::collective:
      return "for the team";
    default:
      return "for credit";
  }
}

std::uint32_t name_of_run(trace_log& log, execution const& state) {
  return log.name_of(state.handler, trace_event::run, [&] { return readable(state.handler->name); });
}

/// Ends what it was given, also where a method's exception ends the job.
struct ending {
  endpoint& connection;
  std::size_t begun;
  ~ending() { connection.trace->end(connection.now(), begun); }
};

}  // namespace

void trace_slice::begin(trace_event what, char const* name, std::uint32_t team) {
  trace_log& log = *connection_.trace;
  std::uint32_t const known = log.name_of(name, what, [name] { return name; });
  begun_ = log.begin(connection_.now(), known, team);
}

void trace_slice::end() { connection_.trace->end(connection_.now(), begun_); }

void run_traced(location& here, execution& state) {
  if (state.at == state.run_end) return;
  if (state.kind == traffic::answer) return state.handler->run(here, state.object, state);
  trace_log& log = *here.connection().trace;
  std::uint32_t const name = name_of_run(log, state);
  bool const fresh = state.at == state.run_begin;
  std::uint32_t const object = state.object == nullptr ? 0 : state.object_number;
  trace_log::run const what{state.team->id, object, number(state.source), fresh ? state.count : 0};
  ending const guard{here.connection(), log.begin_run(here.connection().now(), name, what)};
  gate_break const outside(here.gate());
  state.handler->run(here, state.object, state);
}

void count_traced_run(location& here, execution const& state, std::uint64_t began) {
  trace_log& log = *here.connection().trace;
  trace_log::run const what{state.team->id, 0, number(state.source), state.count};
  log.run_elsewhere(name_of_run(log, state), what, here.connection().now() - began);
}

std::size_t begin_traced_wait(endpoint& connection, wait_kind kind) {
  trace_log& log = *connection.trace;
  char const* const name = name_of(kind);
  return log.begin(connection.now(), log.name_of(name, trace_event::wait, [name] { return name; }));
}

void end_traced_wait(endpoint& connection, std::size_t begun) { connection.trace->end(connection.now(), begun); }

}  // namespace sheaf::detail
