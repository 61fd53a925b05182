// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/endpoint.hpp"

#include "base/trace_log.hpp"

namespace sheaf {

void endpoint::trace_sent(std::uint64_t left, location_id dest, traffic kind, std::size_t bytes) {
  trace->sent(left, number(dest), index(kind), bytes);
}

void endpoint::trace_received(arrival const& entry) {
  trace->received(now(), number(entry.source), index(entry.kind), entry.bytes.size());
}

}  // namespace sheaf
