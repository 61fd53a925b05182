// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/trace/trace_reader.hpp"

namespace sheaf::tool {

/// What an event is called where people read it.
inline char const* word_of(trace_event what) {
  switch (what) {
    case trace_event::run:
      return "run";
    case trace_event::wait:
      return "wait";
    case trace_event::collective:
      return "collective";
    case trace_event::continuation:
      return "continuation";
    case trace_event::scope:
      return "scope";
    case trace_event::mark:
      return "mark";
    default:
      return "entry";
  }
}

inline std::string shown_name(detail::trace_log::named const& n) {
  return n.what == trace_event::wait ? "wait " + n.text : n.text;
}

/// A count, or nanoseconds or bytes, in three or four digits: 1234567 is "1.23 M".
std::string short_number(std::uint64_t value);
std::string short_time(std::uint64_t ns);

}  // namespace sheaf::tool
