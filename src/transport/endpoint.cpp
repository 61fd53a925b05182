// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/endpoint.hpp"

#include "base/trace_log.hpp"

namespace sheaf {

void endpoint::record(std::uint64_t when, bool sent, location_id other, traffic kind, std::size_t bytes) {
  auto const what = sent ? detail::trace_event::sent : detail::trace_event::received;
  trace->moved(when, what, number(other), index(kind), bytes);
}

}  // namespace sheaf
