// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/mpi_endpoint.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/gate.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::mpi {

mpi_endpoint::mpi_endpoint(wire& line, limits const& l, patience p, host_rings rings)
    : endpoint(location_id{line.rank()}, line.size(), l.inline_bytes),
      patience_(p),
      engine_(line, l, std::move(rings)) {
  constexpr std::uint32_t shorter = 4;  // a round of glances takes so much less time
  if (engine_.host.any() && patience_.spins < UINT32_MAX / shorter) patience_.spins *= shorter;
}

buffer mpi_endpoint::do_acquire(location_id, std::size_t bytes) {
  return engine_.pool.take(std::max<std::size_t>(bytes, 1));
}

bool mpi_endpoint::do_send(location_id dest, traffic kind, buffer& b) {
  send_lane& lane = engine_.lane_to(number(dest), kind);
  if (!lane.left(engine_.sizes, true)) return false;
  lane.charge(true);
  if (dest == self()) {
    engine_.in.from_self(kind, std::move(b), true);
  } else {
    engine_.out.send(number(dest), kind, std::move(b), true);
  }
  return true;
}

bool mpi_endpoint::do_send_inline(location_id dest, traffic kind, std::span<std::byte const> bytes) {
  send_lane& lane = engine_.lane_to(number(dest), kind);
  if (!lane.left(engine_.sizes, false)) return false;
  lane.charge(false);
  if (dest != self()) {
    engine_.out.send_inline(number(dest), kind, bytes);
    return true;
  }
  buffer block = engine_.pool.take(bytes.size());
  std::memcpy(block.data(), bytes.data(), bytes.size());
  block.set_size(bytes.size());
  engine_.in.from_self(kind, std::move(block), false);
  return true;
}

bool mpi_endpoint::do_receive(wanted which, arrival& out) {
  constexpr std::uint32_t poll_every = 4;
  if (!engine_.in.has(which) || ++delivered_ >= poll_every) poll();
  return engine_.in.deliver(which, out);
}

void mpi_endpoint::poll() {
  delivered_ = 0;
  engine_.poll();
}

void mpi_endpoint::do_consumed(location_id source, traffic kind) { engine_.in.consumed(number(source), kind); }

std::uint32_t mpi_endpoint::do_backlog(location_id dest, traffic kind) {
  return engine_.lane_to(number(dest), kind).backlog();
}

void mpi_endpoint::do_idle(std::uint32_t round, std::uint64_t deadline_ns) {
  constexpr std::uint32_t tidy_every = 16;
  if (!failure_.empty()) throw job_aborted(failure_);
  if (round % tidy_every == tidy_every - 1) engine_.tidy();
  std::uint32_t const quiet = quiet_rounds(round);
  if (quiet < patience_.spins) return spin();
  if (quiet - patience_.spins < patience_.yields) {
    detail::gate_break const outside(gate_);
    if (!engine_.line.yields()) sched_yield();
    return;
  }
  if (!engine_.in.has(wanted::all)) sleep(quiet - patience_.spins - patience_.yields, deadline_ns);
}

/// Looks several times in a row: this way the time between two looks is hardly more than that of a look. Where memory
/// is shared, one look at the wire with each receive will do: it takes ten times as long as a glance.
void mpi_endpoint::spin() {
  constexpr std::uint32_t glances = 16;
  if (engine_.host.any()) {
    for (std::uint32_t look = 0; look < glances && !engine_.in.has(wanted::all); ++look) engine_.in.glance();
    return;
  }
  for (std::uint32_t look = 0; look < looks_per_spin && !engine_.in.has(wanted::all); ++look) poll();
}

/// How many rounds have passed without a packet: parts of a large entry move, although the caller sees nothing of them.
std::uint32_t mpi_endpoint::quiet_rounds(std::uint32_t round) {
  std::uint32_t const packets = engine_.in.packets() + engine_.out.packets();
  if (std::exchange(packets_seen_, packets) != packets) moved_at_ = round;
  moved_at_ = std::min(moved_at_, round);
  return round - moved_at_;
}

void mpi_endpoint::sleep(std::uint32_t round, std::uint64_t deadline_ns) {
  constexpr std::uint64_t shortest_ns = 20'000;
  constexpr std::uint64_t longest_ns = 1'000'000;
  std::uint64_t pause = std::min(shortest_ns << std::min(round / 4, 10u), longest_ns);
  if (deadline_ns != 0) {
    std::uint64_t const at = now();
    if (at >= deadline_ns) return;
    pause = std::min(pause, deadline_ns - at);
  }
  ++counts_.sleeps;
  detail::gate_break const outside(gate_);
  timespec const t{0, static_cast<long>(pause)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &t, nullptr);
}

std::uint64_t mpi_endpoint::do_now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

void mpi_endpoint::do_fail(std::string_view reason) noexcept {
  failure_ = reason;
  engine_.line.abort(number(self()), reason);  // a wire between processes does not return
}

void mpi_endpoint::do_outside(outside_call what, std::uint64_t deadline_ns) {
  if (what == outside_call::wake) return;  // who sleeps here does so for a short time
  if (!failure_.empty()) throw job_aborted(failure_);
  poll();
  engine_.tidy();
  attended_ = engine_.in.has(wanted::all) ? 0 : attended_ + 1;
  if (attended_ != 0) sleep(attended_, deadline_ns);
}

/// MPI takes one thread at a time, and so does the gate.
void mpi_endpoint::do_with_mpi(void (*f)(void*), void* context) {
  detail::admission const inside(gate_);
  f(context);
}

void mpi_endpoint::finish(std::function<void()> const& look) {
  engine_.finish([&](std::uint32_t round) {
    do_idle(round, 0);
    look();
  });
}

}  // namespace sheaf::mpi
