// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/message/outbox.hpp"

namespace sheaf::detail {

/// Whatever of a location may still become traffic and must be asked before the location is quiet: its streams, and
/// caches in front of them. sender::add makes it known; then everything that flushes, ages, makes room or looks for
/// quiet asks it. Called by the location's thread, or by whoever is inside its gate; what it
/// appends then goes to the stream of that thread, and keeps no order with what the location's own appends.
class source {
 public:
  source() = default;
  source(source const&) = delete;
  source& operator=(source const&) = delete;

  /// Hands on what it holds. For `age` and `idle`, what would only stand behind others that wait for credit may stay.
  virtual void flush(flush_reason why) = 0;

  /// Whether it holds nothing that may still become traffic. A fence ends only where all sources are empty.
  [[nodiscard]] virtual bool empty() const = 0;

  /// Whether a flush for `idle` would hand something on.
  [[nodiscard]] virtual bool may_leave() const = 0;

  /// Hands on one of its open buffers, another one each time, to make room in the budget; false: none may leave. Where
  /// not `may_overflow`, none is handed on that would wait for credit.
  virtual bool release(bool may_overflow) = 0;

 protected:
  ~source() = default;
};

}  // namespace sheaf::detail
