// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The way out, as the location's callers see it: into the gate, and on to the streams.
#include "location_parts.hpp"
#include "message/outside.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

using detail::flush_reason;
using detail::outbox;
using detail::stream;

outbox& location::request_box(std::uint32_t dest) {
  detail::admission const inside(gate_);
  return parts_->out.of(traffic::request).box(dest);
}

/// Where others may enter, no table has it: each look-up comes here, and goes in.
outbox& location::member_box(detail::team_state& team, std::uint64_t rank) {
  if (outbox* const known = team.boxes.find(rank); known != nullptr) return *known;
  outbox& box = request_box(number(team.members[rank]));
  if (gate_ == nullptr) team.boxes.put(rank, box, team.size());
  return box;
}

outbox& location::answer_box(std::uint32_t dest) {
  detail::admission const inside(gate_);
  return parts_->out.of(traffic::answer).box(dest);
}

std::byte* location::append_slowly(outbox& shown, run_tag tag, std::size_t bytes, std::uint32_t record_bytes,
                                   call_site from) {
  outbox& box = *shown.filled;
  if (gate_ != nullptr) detail::outside::before_append(*this, box, tag, from);
  return box.owner->append(box, tag, bytes, record_bytes, from);
}

std::byte* location::try_append_slowly(outbox& shown, run_tag tag, std::size_t bytes, std::uint32_t record_bytes) {
  return shown.owner->try_append(*shown.filled, tag, bytes, record_bytes);
}

void location::send_urgent(std::uint32_t dest, traffic kind, run_tag tag, std::span<std::byte> entry, call_site from) {
  detail::admission const inside(gate_);
  stream& by = parts_->out.of(kind);
  by.send_urgent(*by.box(dest).filled, tag, entry, from);
}

bool location::offer_answer(std::uint32_t dest, run_tag tag, std::span<std::byte> entry) {
  detail::admission const inside(gate_);
  stream& by = parts_->out.of(traffic::answer);
  return by.offer(*by.box(dest).filled, tag, entry);
}

void location::flush(std::uint32_t dest, traffic kind, flush_reason why) {
  detail::admission const inside(gate_);
  stream& by = parts_->out.of(kind);
  if (outbox* const box = by.used_box(dest); box != nullptr) by.flush(*box, why);
}

void location::flush_all(flush_reason why) {
  detail::admission const inside(gate_);
  parts_->out.flush(why);
}

void location::set_aggregation(std::size_t first, std::size_t most, reach of) {
  detail::admission const inside(gate_);
  parts_->out.set_aggregation(first, most, of);
}

void location::add_source(detail::source& one) {
  detail::admission const inside(gate_);
  parts_->out.add(one);
}

void location::remove_source(detail::source& one) {
  detail::admission const inside(gate_);
  parts_->out.remove(one);
}

bool location::any_open() const { return parts_->out.any_open; }

bool location::drain_overflow() { return parts_->out.drain(); }

void location::poll_if_due() {
  detail::admission const inside(gate_);
  if (parts_->out.unpolled >= settings_.poll_every) poll_between_requests();
}

bool location::stopped() const { return parts_->out.reserve_used > parts_->out.reserve_cap && answer_waits_ == 0; }

std::size_t location::reserve_used() const {
  detail::admission const inside(gate_);
  return parts_->out.reserve_used;
}

std::size_t location::reserve_for_others() const {
  stream const& requests = parts_->out.of(traffic::request);
  outbox const* const own = requests.used_box(number(id()));
  detail::overflow_queue const* const queue = own == nullptr ? nullptr : requests.overflow_of(*own->filled);
  return reserve_used() - (queue == nullptr ? 0 : queue->bytes);
}

std::size_t location::reserve_cap() const { return parts_->out.reserve_cap; }

std::uint64_t location::reserve_raises() const { return parts_->out.reserve_raises; }

void location::raise_reserve() {
  do {  // until it helps
    parts_->out.reserve_cap += settings_.reserve_bytes;
    ++parts_->out.reserve_raises;
  } while (parts_->out.reserve_used > parts_->out.reserve_cap);
}

run_header location::header_for(run_tag tag) const {
  run_header header;
  header.tag = tag;
  header.world_colour = world_->colour;
  header.team_colour = tag.team() < teams_end_ && teams_[tag.team()] != nullptr ? teams_[tag.team()]->colour : 0;
  return header;
}

void location::count_sent(run_tag tag, std::uint64_t requests) {
  world_->sent += requests;
  if (tag.team() != 0 && !tag.is_published()) teams_[tag.team()]->sent += requests;
}

}  // namespace sheaf
