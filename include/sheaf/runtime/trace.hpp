// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf {

class endpoint;

/// Shows in the trace (SHEAF_TRACE, docs/guide/tracing.md) what this location does from here to the end of the scope.
/// Any context of a location on its own thread; elsewhere, where no trace is recorded, and outside of a job, nothing.
/// Scopes of a location nest: one is shown until all inside it have ended, so do not hold one while a coroutine is
/// suspended. The name is copied; from the 4096th of a location on they share "(other names)". Sends nothing.
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
