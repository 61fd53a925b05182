// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/gateway.hpp"

#include <sched.h>

#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::net {

gateway::gateway(bootstrap& job, wire& line, limits const& l, host::host_job& siblings)
    : memory_(line.memory()),
      engine_(job, line, l),
      siblings_(siblings),
      process_(job.rank()),
      lanes_(siblings.settings.locations),
      first_only_(job.level() == thread_level::first_only),
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
  } catch (error const& damage) {  // may be thrown in a method, which must not be blamed for it
    location_id const finder{process_ * lanes_ + lane};
    siblings_.fail(finder, damage.what());
    bool const ended = dynamic_cast<job_aborted const*>(&damage) != nullptr;
    if (!ended) engine_.job.abort(number(finder), damage.what());
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
  while (!owner_.take()) sched_yield();
  alone_.store(lane, std::memory_order_relaxed);
  struct after {  // whether f throws or not
    gateway& g;
    std::uint32_t lane;
    ~after() {
      g.alone_.store(nobody, std::memory_order_relaxed);
      g.owner_.give();
      try {
        if (g.owner_.posted()) g.progress(lane);
      } catch (error const&) {  // this location hears of it when it waits
      }
    }
  } const look_again{*this, lane};
  f(context);
}

void gateway::abort(location_id by, std::string_view reason) noexcept {
  constexpr int patience = 1'000'000;
  for (int round = 0; round < patience && !owner_.take(); ++round) sched_yield();
  engine_.job.abort(number(by), reason);  // a wire between processes does not return
  owner_.give();
}

// ---- A turn ------------------------------------------------------------------------------------------------------

void gateway::turn() {
  if (owner_.collect()) send_posted();
  engine_.poll();
  bool const any = engine_.front() != nullptr;
  for (incoming* packet = engine_.front(); packet != nullptr; packet = engine_.front()) {
    hand_out(*packet);
    engine_.pop();
  }
  if (any) ring_bells();
  turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  packets_moved_.store(engine_.packets(), std::memory_order_relaxed);
}

void gateway::send_posted() {
  for (auto const& posts : posts_) {
    for (; outgoing* const o = posts->front(); posts->pop()) engine_.send(o->process, std::move(o->packet));
  }
}

/// The slice at the beginning of what is left of a packet.
slice gateway::checked(std::uint32_t source, std::span<std::byte const> rest) const {
  if (rest.size() < slice::header_bytes) engine_.damaged(source, "a slice's header is cut off");
  slice const s = slice::read(rest.data());
  bool const credit = s.kind == slice_kind::credit;
  if (s.bytes > rest.size() - slice::header_bytes || s.bytes == 0) {
    engine_.damaged(source, "the length of a slice is not possible");
  }
  if (s.kind > slice_kind::credit || (credit && s.bytes != slice::credit_bytes)) {
    engine_.damaged(source, "no such slice");
  }
  if (s.source_lane >= lanes_ || s.dest_lane >= lanes_) engine_.damaged(source, "a process has no such lane");
  return s;
}

/// A slice as its location gets it. The first that is long owns the packet from then on; all others are copied, so that
/// they do not keep it.
parcel gateway::parcel_of(slice s, std::byte const* data, incoming& packet) {
  parcel p;
  p.source = location_id{packet.source * lanes_ + s.source_lane};
  p.kind = s.kind;
  p.counts_window = s.counts_window;
  p.is_part = s.is_part;
  p.bytes = s.bytes;
  if (s.bytes <= parcel::small_bytes) {
    std::memcpy(p.small, data, s.bytes);
  } else if (s.bytes > sizes().copied() && packet.block) {
    p.block = std::move(packet.block);
    p.data = data;
  } else {
    p.block = engine_.take(s.bytes);
    p.data = static_cast<std::byte*>(std::memcpy(p.block.data(), data, s.bytes));
  }
  return p;
}

/// Gives each slice to its location, once all are read: who owns the packet may give it back at once.
void gateway::hand_out(incoming& packet) {
  unpacked_.clear();  // of a packet before that was refused
  std::span<std::byte const> rest(packet.block.data(), packet.block.size());
  while (!rest.empty()) {
    slice const s = checked(packet.source, rest);
    unpacked_.emplace_back(s.dest_lane, parcel_of(s, rest.data() + slice::header_bytes, packet));
    rest = rest.subspan(slice::header_bytes + s.bytes);
  }
  for (auto& [lane, one] : unpacked_) {
    inboxes_[lane]->push(std::move(one));
    to_ring_[lane] = 1;
  }
}

void gateway::ring_bells() {
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    if (std::exchange(to_ring_[lane], std::uint8_t{0}) != 0) siblings_.bell(lane).ring();
  }
}

}  // namespace sheaf::net
