// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf {

class endpoint;

/// Shows in the trace (SHEAF_TRACE, docs/guide/tracing.md) what this location does from here to the end of the scope.
/// Works in any context on a location's own thread; does nothing on other threads, without a trace, and outside a job.
/// Scopes of a location nest: one lasts until all inside it have ended, so hold none while a coroutine is suspended.
/// The name is copied; from a location's 4096th name on, all are "(other names)". Sends nothing.
class trace_scope {
 public:
  explicit trace_scope(std::string_view name);
  ~trace_scope() {
    if (connection_ != nullptr) [[unlikely]]
      end();
  }
  trace_scope& operator=(trace_scope&&) = delete;

 private:
  void end();

  endpoint* connection_;  // null: not recorded
  std::size_t begun_ = 0;
};

/// Shows a point in time of this location. As trace_scope otherwise.
void trace_mark(std::string_view name);

}  // namespace sheaf
