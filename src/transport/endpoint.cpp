// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/endpoint.hpp"

#include "base/trace_log.hpp"

namespace sheaf {

// The time is that before the entry leaves: it may have arrived before the next line runs.
bool endpoint::send_traced(location_id dest, traffic kind, buffer& b) {
  std::uint64_t const left = now();
  std::size_t const bytes = b.size();
  bool const taken = do_send(dest, kind, b);
  if (taken) trace_->sent(left, number(dest), index(kind), bytes);
  return taken;
}

bool endpoint::send_inline_traced(location_id dest, traffic kind, std::span<std::byte const> entry) {
  std::uint64_t const left = now();
  bool const taken = do_send_inline(dest, kind, entry);
  if (taken) trace_->sent(left, number(dest), index(kind), entry.size());
  return taken;
}

void endpoint::trace_received(arrival const& entry) {
  trace_->received(now(), number(entry.source), index(entry.kind), entry.bytes.size());
}

}  // namespace sheaf
