// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/sim_endpoint.hpp"

#include "transport/sim/scheduler.hpp"

namespace sheaf::detail {

sim_endpoint::sim_endpoint(scheduler& owner, location_id self, std::uint32_t size, std::uint32_t lanes,
                           std::uint32_t const* near)
    : endpoint(self, size, sim_inline_capacity, lanes, near), scheduler_(owner) {
  state_.id = self;
  threads_ = &owner;
}

void sim_endpoint::give_back(std::byte* data, std::size_t capacity) noexcept {
  scheduler_.network().blocks().put(data, capacity);
}

buffer sim_endpoint::do_acquire(location_id, std::size_t bytes) {
  return {this, scheduler_.network().blocks().take(bytes).data(), bytes};
}

bool sim_endpoint::do_send(location_id dest, traffic kind, buffer& b) {
  scheduler_.may_switch();
  return scheduler_.network().send(state_, dest, kind, b);
}

bool sim_endpoint::do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) {
  scheduler_.may_switch();
  return scheduler_.network().send_inline(state_, dest, kind, entry);
}

bool sim_endpoint::do_receive(wanted which, arrival& out) { return scheduler_.receive(state_, which, out); }

void sim_endpoint::do_consumed(location_id source, traffic kind, buffer* keep) {
  std::span<std::byte> const kept = scheduler_.network().consumed(state_, source, kind, keep != nullptr);
  if (keep != nullptr) *keep = buffer(this, kept.data(), kept.size());
}

std::uint32_t sim_endpoint::do_backlog(location_id dest, traffic kind) {
  return scheduler_.network().backlog(state_, dest, kind);
}

// How often the caller came before does not matter: it waits exactly until something comes.
void sim_endpoint::do_idle(std::uint32_t, std::uint64_t deadline_ns) {
  counts_.sleeps += scheduler_.idle(state_, deadline_ns, gate_);
}

std::uint64_t sim_endpoint::do_now() { return scheduler_.look_at_clock(); }

void sim_endpoint::do_outside(outside_call what, std::uint64_t deadline_ns) {
  what == outside_call::wake ? scheduler_.ring(state_) : scheduler_.attend(state_, deadline_ns, gate_);
}

void sim_endpoint::do_fail(std::string_view reason) noexcept { scheduler_.fail(state_, reason); }

}  // namespace sheaf::detail
