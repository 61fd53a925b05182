// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/trace_log.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// Begins something in the endpoint's trace, which there is. `name` is a literal: its address stands for it.
std::size_t begin_traced(endpoint& connection, trace_event what, char const* name, std::uint32_t team = 0);

/// Something that the trace shows from its begin to its end; nothing where the endpoint has no trace.
class trace_slice : immovable<trace_slice> {
 public:
  trace_slice(endpoint& connection, trace_event what, char const* name) : connection_(connection) {
    if (connection.trace != nullptr) [[unlikely]]
      begun_ = begin_traced(connection, what, name);
  }
  /// What has begun.
  trace_slice(endpoint& connection, std::size_t begun) : connection_(connection), begun_(begun) {}
  /// A collective operation of a team; `name()` is asked for where there is a trace.
  template <class Name>
  requires std::is_invocable_r_v<char const*, Name> trace_slice(endpoint& connection, Name name, std::uint32_t team)
      : connection_(connection) {
    if (connection.trace != nullptr) [[unlikely]]
      begun_ = begin_traced(connection, trace_event::collective, name(), team);
  }
  ~trace_slice() {
    if (connection_.trace != nullptr) [[unlikely]]
      connection_.trace->end(connection_.now(), begun_);
  }

 private:
  endpoint& connection_;
  std::size_t begun_ = 0;
};

std::size_t begin_traced(location& here, handler_entry const& handler, trace_log::run const& what);

/// Runs what is left of the current run, if anything; requests are recorded, answers are not.
void run_traced(location& here, execution& state);

/// Counts a run that another thread has executed since `began`; called inside the gate.
void count_traced_run(location& here, execution const& state, std::uint64_t began);

}  // namespace sheaf::detail
