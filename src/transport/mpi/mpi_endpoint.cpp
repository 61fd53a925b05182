// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/mpi_endpoint.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sheaf/base/error.hpp"

namespace sheaf::mpi {

mpi_endpoint::mpi_endpoint(wire& line, limits const& l, patience p)
    : endpoint(location_id{line.rank()}, line.size(), l.inline_bytes),
      wire_(line),
      limits_(l),
      patience_(p),
      pool_(l.payload),
      peers_(line.size()),
      out_(line, pool_, limits_, peers_),
      in_(line, pool_, limits_, peers_, out_) {}

buffer mpi_endpoint::do_acquire(location_id, std::size_t bytes) { return pool_.take(std::max<std::size_t>(bytes, 1)); }

bool mpi_endpoint::do_send(location_id dest, traffic kind, buffer& b) {
  if (!out_.has_credit(lane_to(dest, kind), true)) return false;
  outbound::charge(lane_to(dest, kind), true);
  if (dest == self()) {
    in_.from_self(kind, std::move(b), true);
  } else {
    out_.send(number(dest), kind, std::move(b), true);
  }
  return true;
}

bool mpi_endpoint::do_send_inline(location_id dest, traffic kind, std::span<std::byte const> bytes) {
  send_lane& lane = lane_to(dest, kind);
  if (!out_.has_credit(lane, false)) return false;
  outbound::charge(lane, false);
  if (dest != self()) {
    out_.send_inline(number(dest), kind, bytes);
    return true;
  }
  buffer block = pool_.take(bytes.size());
  std::memcpy(block.data(), bytes.data(), bytes.size());
  block.set_size(bytes.size());
  in_.from_self(kind, std::move(block), false);
  return true;
}

bool mpi_endpoint::do_receive(wanted which, arrival& out) {
  constexpr std::uint32_t poll_every = 4;
  if (!in_.has(which) || ++delivered_ >= poll_every) poll();
  return in_.deliver(which, out);
}

void mpi_endpoint::poll() {
  delivered_ = 0;
  in_.poll();
  if (out_.cutting()) out_.progress();
}

void mpi_endpoint::do_consumed(location_id source, traffic kind) { in_.consumed(number(source), kind); }

std::uint32_t mpi_endpoint::do_backlog(location_id dest, traffic kind) {
  send_lane const& lane = lane_to(dest, kind);
  return lane.sent - lane.acknowledged;
}

void mpi_endpoint::do_idle(std::uint32_t round, std::uint64_t deadline_ns) {
  constexpr std::uint32_t tidy_every = 16;
  if (!failure_.empty()) throw job_aborted(failure_);
  if (round % tidy_every == tidy_every - 1) {
    in_.acknowledge_all();
    if (!out_.done()) out_.progress();
  }
  std::uint32_t const quiet = quiet_rounds(round);
  if (quiet < patience_.spins) return spin();
  if (quiet - patience_.spins < patience_.yields) {
    if (!wire_.yields()) sched_yield();
    return;
  }
  if (!in_.has(wanted::all)) sleep(quiet - patience_.spins - patience_.yields, deadline_ns);
}

/// Looks several times in a row: this way the time between two looks is hardly more than that of a look.
void mpi_endpoint::spin() {
  for (std::uint32_t look = 0; look < looks_per_spin && !in_.has(wanted::all); ++look) poll();
}

/// How many rounds have passed without a packet: parts of a large entry move, although the caller sees nothing of them.
std::uint32_t mpi_endpoint::quiet_rounds(std::uint32_t round) {
  std::uint32_t const packets = in_.packets() + out_.packets();
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
  wire_.abort(reason);  // a wire between processes does not return
}

/// Takes what has arrived and throws it away, so that whoever sent it gets its credits back.
void mpi_endpoint::drop_arrivals() {
  poll();
  for (arrival a; in_.deliver(wanted::all, a);) in_.consumed(number(a.source), a.kind);
  in_.acknowledge_all();
}

void mpi_endpoint::finish() {
  std::uint32_t round = 0;
  while (!out_.done() || !wire_.all_arrived()) {  // first: nobody has anything more to say
    drop_arrivals();
    out_.progress();
    do_idle(round++, 0);
  }
  round = 0;
  while (!out_.done() || !wire_.all_arrived()) {  // then: the last acknowledgements have left everybody
    poll();
    out_.progress();
    do_idle(round++, 0);
  }
}

}  // namespace sheaf::mpi
