// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::detail {

/// The words of a trace file; docs/specification/trace.md has the whole format. Whole numbers are written with 7 bits a
/// byte, lowest first, the eighth bit set in all but the last.
inline constexpr std::string_view trace_magic = "SHEAFTRC";
inline constexpr std::string_view trace_end_magic = "TRACEEND";
inline constexpr std::uint8_t trace_version = 1;
inline constexpr std::string_view trace_suffix = ".sheaf-trace";

/// What an event is: something begins (and has a name), the innermost that is open ends, or something happened.
enum class trace_event : std::uint8_t {
  end = 0,
  run = 1,           ///< requests of one method on one object, executed
  wait = 2,          ///< the location waits, and executes meanwhile
  collective = 3,    ///< its part of a collective operation
  continuation = 4,  ///< what was given to `then`, or a deferred part of a method
  scope = 5,         ///< the program's own trace_scope
  mark = 6,          ///< the program's own trace_mark
  sent = 7,
  received = 8,
};

/// One past the last.
inline constexpr std::uint8_t trace_events = 9;

/// Whether an end follows.
constexpr bool begins(trace_event e) noexcept { return e >= trace_event::run && e <= trace_event::scope; }

/// Whether it has one of the names of its location.
constexpr bool is_named(trace_event e) noexcept { return e >= trace_event::run && e <= trace_event::mark; }

}  // namespace sheaf::detail
