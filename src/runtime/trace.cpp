// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/trace.hpp"

#include "base/trace_log.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {
namespace {

/// Of the location that runs here: its slices are recorded by whoever is inside.
detail::gate* its_gate() { return detail::ambient_location == nullptr ? nullptr : detail::ambient_location->gate(); }

/// Of the location whose own thread runs here, if it records a trace: what others do there does not nest with that.
endpoint* traced_connection() {
  if (detail::ambient_location == nullptr) return nullptr;
  if (its_gate() != nullptr && detail::ambient_location->by_outsider()) return nullptr;
  endpoint& connection = detail::ambient_location->connection();
  return connection.trace != nullptr ? &connection : nullptr;
}

}  // namespace

trace_scope::trace_scope(std::string_view name) : connection_(traced_connection()) {
  if (connection_ == nullptr) return;
  detail::admission const inside(its_gate());
  detail::trace_log& log = *connection_->trace;
  begun_ = log.begin(connection_->now(), log.name_of_text(detail::trace_event::scope, name));
}

void trace_scope::end() {
  detail::admission const inside(its_gate());
  if (connection_->trace != nullptr) connection_->trace->end(connection_->now(), begun_);
}

void trace_mark(std::string_view name) {
  endpoint* const connection = traced_connection();
  if (connection == nullptr) return;
  detail::admission const inside(its_gate());
  detail::trace_log& log = *connection->trace;
  log.mark(connection->now(), log.name_of_text(detail::trace_event::mark, name));
}

}  // namespace sheaf
