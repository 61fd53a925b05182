// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/gateway.hpp"

#include <sched.h>

#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::net {

engine::engine(bootstrap& among, wire& line, limits const& l)
    : job(among),
      sizes(l),
      wire_(line),
      pool_(l.payload, line.memory(), {.smallest = 64, .front = header_bytes}),
      peers_(among.size()),
      done_(64),  // at once
      rooms_(l.receives) {
  for (std::uint32_t slot = 0; slot < l.receives; ++slot) vacant_.push_back(slot);
  post_vacant();
}

void engine::poll() {
  post_vacant();
  std::size_t const n = wire_.poll(done_);
  for (completion const& c : std::span(done_.data(), n)) {
    if (c.what == direction::receive) {
      accept(c);
      continue;
    }
    sends_[c.slot] = {};
    free_sends_.push_back(c.slot);
    --in_flight_;
  }
  while (!refused_.empty() && start(refused_.front())) refused_.drop();
}

void engine::damaged(std::uint32_t source, char const* what) const {
  throw error("process " + std::to_string(job.rank()) + " received a damaged packet from process " +
              std::to_string(source) + ": " + what);
}

/// Gives a packet its number. From then on the order in which the wire gets it does not matter.
void engine::form(std::uint32_t dest, packet_kind kind, buffer&& packet) {
  write_header(packet.data(), {kind == packet_kind::call ? 0 : peers_[dest].sequence++, kind});
  outgoing o{std::move(packet), dest, kind};
  if (!refused_.empty() || !start(o)) refused_.push(std::move(o));
}

/// False: the wire refuses it.
bool engine::start(outgoing& o) {
  if (free_sends_.empty()) {
    free_sends_.push_back(static_cast<std::uint32_t>(sends_.size()));
    sends_.emplace_back();
  }
  std::uint32_t const slot = free_sends_.back();
  auto const how = wire_.start_send(slot, o.dest, {o.block.data() - header_bytes, header_bytes + o.block.size()});
  if (how == wire::sent::try_again) return false;
  if (o.kind != packet_kind::call) ++sent_;
  if (how == wire::sent::ended) {
    o = {};
    return true;
  }
  sends_[slot] = std::move(o);
  free_sends_.pop_back();
  ++in_flight_;
  return true;
}

void engine::post_vacant() {
  for (; !vacant_.empty(); vacant_.pop_back()) {
    std::uint32_t const slot = vacant_.back();
    buffer& room = rooms_[slot];
    if (!room) room = take(sizes.payload);
    if (!wire_.start_receive(slot, {room.data() - header_bytes, header_bytes + sizes.payload})) return;
  }
}

void engine::accept(completion const& c) {
  if (c.source >= peers_.size() || c.source == job.rank()) damaged(c.source, "no process of the job has this number");
  if (c.bytes < header_bytes || c.bytes > header_bytes + sizes.payload) {
    damaged(c.source, "its length is not possible");
  }
  buffer& room = rooms_[c.slot];
  packet_header h;
  std::memcpy(&h, room.data() - header_bytes, header_bytes);
  std::size_t const payload = c.bytes - header_bytes;
  if (h.kind > packet_kind::call || (h.kind == packet_kind::call) != (payload == 0)) {
    damaged(c.source, "its header is not possible");
  }
  peer& from = peers_[c.source];
  vacant_.push_back(c.slot);
  if (h.kind == packet_kind::call) {
    from.called = true;
    return;
  }

  ++received_;
  std::uint32_t const ahead = h.sequence - from.expected;
  if (ahead > UINT32_MAX / 2) damaged(c.source, "it came twice");
  room.set_size(payload);
  if (ahead != 0) {
    buffer early = payload > sizes.copied() ? std::move(room) : copy_of(room);
    if (!early_.emplace(early_key(c.source, h.sequence), std::move(early)).second) damaged(c.source, "it came twice");
    ++from.early;
    return;
  }
  ++from.expected;
  ready_.push({c.source, std::move(room)});
  if (from.early != 0) take_early(c.source);
}

void engine::take_early(std::uint32_t source) {
  peer& from = peers_[source];
  while (from.early != 0) {
    auto const next = early_.find(early_key(source, from.expected));
    if (next == early_.end()) break;
    ready_.push({source, std::move(next->second)});
    early_.erase(next);
    --from.early;
    ++from.expected;
  }
}

buffer engine::copy_of(buffer const& packet) {
  buffer copy = take(packet.size());
  std::memcpy(copy.data(), packet.data(), packet.size());
  copy.set_size(packet.size());
  return copy;
}

gateway::gateway(bootstrap& job, wire& line, limits const& l, host::host_job& siblings)
    : memory_(line.memory()),
      engine_(job, line, l),
      siblings_(siblings),
      lanes_(siblings.settings.locations),
      first_only_(job.level() == thread_level::first_only),
      to_ring_(lanes_, 0) {
  for (std::uint32_t i = 0; i < lanes_; ++i) {
    posts_.push_back(std::make_unique<relay_queue<process_packet>>());
    inboxes_.push_back(std::make_unique<relay_queue<parcel>>());
  }
}

void gateway::progress(std::uint32_t lane) {
  if (!may_own(lane)) return;
  if (!owner_.serve(most_turns, [&] { guarded_turn(lane); })) {
    for (std::uint32_t i = 0; i < lanes_; ++i) siblings_.bell(i).ring();  // whoever sleeps looks, and finds the flag up
  }
}

void gateway::guarded_turn(std::uint32_t lane) {
  try {
    turn();
  } catch (std::exception const& damage) {  // may be thrown in a method, which must not be blamed for it
    location_id const finder{process() * lanes_ + lane};
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
  detail::at_end const look_again{[this, lane] {  // whether f throws or not
    alone_.store(nobody, std::memory_order_relaxed);
    owner_.give();
    try {
      if (owner_.posted()) progress(lane);
    } catch (error const&) {  // this location hears of it when it waits
    }
  }};
  f(context);
}

void gateway::abort(location_id by, std::string_view reason) noexcept {
  constexpr int patience = 1'000'000;
  for (int round = 0; round < patience && !owner_.take(); ++round) sched_yield();
  engine_.job.abort(number(by), reason);  // a wire between processes does not return
  owner_.give();
}

void gateway::turn() {
  if (owner_.collect()) send_posted();
  engine_.poll();
  bool const any = engine_.front() != nullptr;
  for (; process_packet* const packet = engine_.front(); engine_.pop()) hand_out(*packet);
  for (std::uint32_t lane = 0; any && lane < lanes_; ++lane) {
    if (std::exchange(to_ring_[lane], std::uint8_t{0}) != 0) siblings_.bell(lane).ring();
  }
  turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  packets_moved_.store(engine_.packets(), std::memory_order_relaxed);
}

void gateway::send_posted() {
  for (auto const& posts : posts_) {
    for (; process_packet* const p = posts->front(); posts->pop()) engine_.send(p->process, std::move(p->block));
  }
}

slice gateway::checked(std::uint32_t source, std::span<std::byte const> rest) const {
  if (rest.size() < slice::header_bytes) engine_.damaged(source, "a slice's header is cut off");
  slice const s = slice::read(rest.data());
  bool const credit = s.kind == slice_kind::credit;
  if (s.bytes > rest.size() - slice::header_bytes || s.bytes == 0) {
    engine_.damaged(source, "the length of a slice is not possible");
  }
  if (s.kind > slice_kind::credit || (credit && (s.bytes % 4 != 0 || s.bytes > slice::most_credit_bytes))) {
    engine_.damaged(source, "no such slice");
  }
  if (s.source_lane >= lanes_ || s.dest_lane >= lanes_) engine_.damaged(source, "a process has no such lane");
  return s;
}

/// A slice as its location gets it. The first long one owns the packet; others are copied, so as not to keep it.
parcel gateway::parcel_of(slice s, std::byte const* data, process_packet& packet) {
  parcel p{s, location_id{packet.process * lanes_ + s.source_lane}, {}, {}};
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
void gateway::hand_out(process_packet& packet) {
  unpacked_.clear();  // of a packet before that was refused
  std::span<std::byte const> rest(packet.block.data(), packet.block.size());
  while (!rest.empty()) {
    slice const s = checked(packet.process, rest);
    unpacked_.emplace_back(s.dest_lane, parcel_of(s, rest.data() + slice::header_bytes, packet));
    rest = rest.subspan(slice::header_bytes + s.bytes);
  }
  for (auto& [lane, one] : unpacked_) {
    inboxes_[lane]->push(std::move(one));
    to_ring_[lane] = 1;
  }
}

}  // namespace sheaf::net
