// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/gateway.hpp"

#include <sched.h>

#include <cstring>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"

namespace sheaf::net {

gateway::gateway(wire& line, limits const& l, host::host_job& siblings, bool first_only)
    : engine_(line, l),
      siblings_(siblings),
      process_(line.rank()),
      lanes_(siblings.settings.locations),
      first_only_(first_only),
      backlog_(line.size()),
      to_ring_(lanes_, 0) {
  for (std::uint32_t i = 0; i < lanes_; ++i) {
    posts_.push_back(std::make_unique<relay_queue<outgoing>>());
    inboxes_.push_back(std::make_unique<relay_queue<parcel>>());
  }
}

// ---- Who owns MPI ------------------------------------------------------------------------------------------------

void gateway::progress(std::uint32_t lane) {
  if (!may_own(lane)) return;
  if (!owner_.serve(most_turns, [&] { guarded_turn(lane); })) {
    for (std::uint32_t i = 0; i < lanes_; ++i) siblings_.bell(i).ring();  // whoever sleeps looks, and finds the flag up
  }
}

void gateway::guarded_turn(std::uint32_t lane) {
  try {
    turn();
  } catch (job_aborted const& ended) {
    siblings_.fail(location_id{process_ * lanes_ + lane}, ended.what());
    throw;
  } catch (error const& damage) {  // may be thrown in a method, which must not be blamed for it
    location_id const finder{process_ * lanes_ + lane};
    siblings_.fail(finder, damage.what());
    engine_.line.abort(number(finder), damage.what());
    throw;
  }
}

void gateway::send(std::uint32_t lane, std::uint32_t process, buffer&& packet) {
  posts_[lane]->push({process, std::move(packet)});
  owner_.post();
  progress(lane);
  if (!may_own(lane)) siblings_.bell(0).ring();
}

void gateway::alone(std::uint32_t lane, void (*f)(void*), void* context) {
  if (alone_.load(std::memory_order_relaxed) == lane) return f(context);  // within another one of this location
  struct after {                                                          // whether f throws or not
    gateway& g;
    std::uint32_t lane;
    ~after() {
      try {
        if (g.owner_.posted()) g.progress(lane);
      } catch (error const&) {  // this location hears of it when it waits
      }
    }
  } const look_again{*this, lane};
  while (!owner_.take()) sched_yield();
  ownership<>::owner const guard{owner_};
  struct marked {
    std::atomic<std::uint32_t>& whose;
    ~marked() { whose.store(nobody, std::memory_order_relaxed); }
  } const mark{alone_};
  alone_.store(lane, std::memory_order_relaxed);
  f(context);
}

void gateway::abort(location_id by, std::string_view reason) noexcept {
  constexpr int patience = 1'000'000;
  for (int round = 0; round < patience && !owner_.take(); ++round) sched_yield();
  engine_.line.abort(number(by), reason);  // a wire between processes does not return
  owner_.give();
}

// ---- A turn ------------------------------------------------------------------------------------------------------

void gateway::turn() {
  constexpr std::uint32_t tidy_every = 16;
  if (owner_.collect()) send_posted();
  if (waiting_ != 0) send_waiting();
  engine_.poll();
  bool any = false;
  for (arrival a; engine_.in.deliver(wanted::all, a); any = true) {
    hand_out(number(a.source), engine_.in.take(number(a.source), a.kind));
  }
  if (any) ring_bells();
  free_returned();
  std::uint32_t const turn_number = turns_.load(std::memory_order_relaxed) + 1;
  turns_.store(turn_number, std::memory_order_relaxed);
  packets_moved_.store(engine_.in.packets() + engine_.out.packets(), std::memory_order_relaxed);
  parts_.store(engine_.in.parts() + engine_.out.parts(), std::memory_order_relaxed);
  if (turn_number % tidy_every == 0) engine_.tidy();
}

void gateway::send_posted() {
  for (auto const& posts : posts_) {
    for (; outgoing* const o = posts->front(); posts->pop()) send_now(std::move(*o));
  }
}

void gateway::send_now(outgoing&& o) {
  send_lane& lane = engine_.lane_to(o.process, traffic::request);
  if (!backlog_[o.process].empty() || !lane.left(engine_.sizes, true)) {
    ++waiting_;
    return backlog_[o.process].push(std::move(o.packet));
  }
  lane.charge(true);
  engine_.out.send(o.process, traffic::request, std::move(o.packet), true);
}

void gateway::send_waiting() {
  for (std::uint32_t process = 0; process < processes(); ++process) {
    auto& packets = backlog_[process];
    send_lane& lane = engine_.lane_to(process, traffic::request);
    while (!packets.empty() && lane.left(engine_.sizes, true)) {
      lane.charge(true);
      engine_.out.send(process, traffic::request, packets.pop(), true);
      --waiting_;
    }
  }
}

/// How many slices of the packet are too long to be copied into their parcels. Checks all of them.
std::uint32_t gateway::count_shared(std::uint32_t source, std::span<std::byte const> packet) const {
  std::uint32_t shared = 0;
  while (!packet.empty()) {
    if (packet.size() < slice::header_bytes) damaged(source, "a slice's header is cut off");
    slice const s = slice::read(packet.data());
    packet = packet.subspan(slice::header_bytes);
    bool const credit = s.kind == slice_kind::credit;
    if (s.bytes > packet.size() || s.bytes == 0) damaged(source, "the length of a slice is not possible");
    if (s.kind > slice_kind::credit || (credit && s.bytes != slice::credit_bytes)) damaged(source, "no such slice");
    if (s.source_lane >= lanes_ || s.dest_lane >= lanes_) damaged(source, "a process has no such lane");
    shared += s.bytes > parcel::small_bytes;
    packet = packet.subspan(s.bytes);
  }
  return shared;
}

shared_packet* gateway::unused_packet() {
  if (spare_ != nullptr) return std::exchange(spare_, spare_->next);
  return packets_.emplace_back(std::make_unique<shared_packet>()).get();
}

/// Gives each slice to its location.
void gateway::hand_out(std::uint32_t source, buffer&& bytes) {
  std::span<std::byte const> rest(bytes.data(), bytes.size());
  std::uint32_t const shared = count_shared(source, rest);
  shared_packet* packet = nullptr;
  if (shared != 0) {
    packet = unused_packet();
    packet->bytes.swap(bytes);
    packet->users.store(shared, std::memory_order_relaxed);
  }
  while (!rest.empty()) {
    slice const s = slice::read(rest.data());
    std::byte const* const data = rest.data() + slice::header_bytes;
    rest = rest.subspan(slice::header_bytes + s.bytes);
    parcel p;
    p.source = location_id{source * lanes_ + s.source_lane};
    p.kind = s.kind;
    p.counts_window = s.counts_window;
    p.bytes = s.bytes;
    if (s.bytes > parcel::small_bytes) {
      p.packet = packet;
      p.data = data;
    } else {
      std::memcpy(p.small, data, s.bytes);
    }
    inboxes_[s.dest_lane]->push(p);
    to_ring_[s.dest_lane] = 1;
  }
}

void gateway::ring_bells() {
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    if (std::exchange(to_ring_[lane], std::uint8_t{0}) != 0) siblings_.bell(lane).ring();
  }
}

void gateway::free_returned() {
  for (shared_packet* packet = returned_.take_all(); packet != nullptr;) {
    packet->bytes = {};
    shared_packet* const next = std::exchange(packet->next, spare_);
    spare_ = std::exchange(packet, next);
  }
}

void gateway::damaged(std::uint32_t source, char const* what) const {
  throw error("MPI rank " + std::to_string(process_) + " received a damaged packet from rank " +
              std::to_string(source) + ": " + what);
}

}  // namespace sheaf::net
