// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf {

class endpoint;

/// Shows in the trace (SHEAF_TRACE, docs/guide/tracing.md) what this location does from here to the end of the scope.
/// Any context of a location on its own thread; elsewhere, where no trace is recorded, and outside of a job, nothing.
/// Scopes of a location nest: one that ends before a scope inside it has ended is shown until that one ends, so do not
/// hold one while a coroutine is suspended. The name is copied; a location tells 4096 different ones apart, later ones
/// share "(other names)". Sends nothing.
class trace_scope {
 public:
  explicit trace_scope(std::string_view name);
  ~trace_scope() {
    if (connection_ != nullptr) [[unlikely]]
      end();
  }
  trace_scope(trace_scope const&) = delete;
  trace_scope& operator=(trace_scope const&) = delete;

 private:
  void end();

  endpoint* connection_;  // null: not recorded
  std::size_t begun_ = 0;
};

/// Shows a point in time of this location. As trace_scope otherwise.
void trace_mark(std::string_view name);

}  // namespace sheaf
