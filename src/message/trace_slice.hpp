// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/trace_log.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// Something that the trace shows from its begin to its end; nothing where the endpoint has no trace.
class trace_slice {
 public:
  /// `name` is a literal: its address stands for it.
  trace_slice(endpoint& connection, trace_event what, char const* name) : connection_(connection) {
    if (connection.trace != nullptr) [[unlikely]]
      begin(what, name, 0);
  }
  /// A collective operation of a team; `name()` is asked for where there is a trace.
  template <class Name>
  requires std::is_invocable_r_v<char const*, Name> trace_slice(endpoint& connection, Name name, std::uint32_t team)
      : connection_(connection) {
    if (connection.trace != nullptr) [[unlikely]]
      begin(trace_event::collective, name(), team);
  }
  ~trace_slice() {
    if (connection_.trace != nullptr) [[unlikely]]
      end();
  }
  trace_slice(trace_slice const&) = delete;
  trace_slice& operator=(trace_slice const&) = delete;

 private:
  void begin(trace_event what, char const* name, std::uint32_t team);
  void end();

  endpoint& connection_;
  std::size_t begun_ = 0;
};

/// Runs what is left of the current run, if anything; requests are recorded, answers are not.
void run_traced(location& here, execution& state);

/// Counts a run that another thread has executed since `began`; called inside the gate.
void count_traced_run(location& here, execution const& state, std::uint64_t began);

/// Begins and ends a wait in the location's trace, which there is.
std::size_t begin_traced_wait(endpoint& connection, wait_kind kind);
void end_traced_wait(endpoint& connection, std::size_t begun);

}  // namespace sheaf::detail
