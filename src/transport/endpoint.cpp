// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/endpoint.hpp"

#include "base/trace_log.hpp"
#include "sheaf/transport/memory_guards.hpp"

namespace sheaf {

memory_guards& host_memory::guards_for(std::uintptr_t) const noexcept {
  static constinit memory_guards of_this_process{};
  return of_this_process;
}

void endpoint::record(std::uint64_t when, bool sent, location_id other, traffic kind, std::size_t bytes) {
  auto const what = sent ? detail::trace_event::sent : detail::trace_event::received;
  trace->moved(when, what, number(other), index(kind), bytes);
}

}  // namespace sheaf
