// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The way out: records into runs, runs into buffers, buffers to the transport or, without credit, into the overflow
// queue.
#include <algorithm>
#include <cstring>

#include "location_parts.hpp"
#include "message/outside.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

using detail::flush_reason;
using detail::insight;
using detail::outbox;

/// By half; from 4 KiB, up to which message-passing libraries send at once, to 8 KiB, which is worth their handshake;
/// then slowly, so that a burst of some hundred KiB still overlaps with its execution.
std::uint32_t detail::grown(std::uint32_t threshold) {
  constexpr std::uint32_t eager = 4096;
  if (threshold < eager) return threshold + threshold / 2;
  return threshold < 2 * eager ? 2 * threshold : threshold + threshold / 8;
}

outbox& location::filled(outbox& box) const { return gate_ == nullptr ? box : detail::outside::behind(*this, box); }

std::byte* location::append_slowly(outbox& shown, traffic kind, run_tag tag, std::size_t bytes,
                                   std::uint32_t record_bytes, call_site from) {
  outbox& box = filled(shown);
  if (gate_ != nullptr) detail::outside::before_append(*this, box, tag, from);
  bool const fits = record_bytes != 0 ? box.takes(tag) : box.takes(tag, bytes);
  if (!fits) open_run(box, kind, tag, bytes, record_bytes, from);
  if (record_bytes != 0) return box.next(record_bytes);
  ++box.count;
  return std::exchange(box.cursor, box.cursor + bytes);
}

void location::open_run(outbox& box, traffic kind, run_tag tag, std::size_t bytes, std::uint32_t record_bytes,
                        call_site from) {
  auto const dest = static_cast<std::uint32_t>(&box - &box_of(0, kind));
  std::size_t const needed = run_header::wire_bytes + bytes;
  bool const may_wait = kind == traffic::request && !in_handler();
  if (box.tag != tag) close_run(box, kind);
  if (may_wait && poll_is_due(box, bytes)) poll_between_requests();
  // Polling and waiting for credit execute requests, whose handlers may use this very outbox: hence the loop.
  while (box.tag != tag || bytes > box.room()) {
    close_run(box, kind);
    if (box.data != nullptr && needed > box.room()) {
      ship(box, dest, kind, flush_reason::full);
      box.threshold = std::min(detail::grown(box.threshold), sizes_for(dest).most);
      if (box.blocked && may_wait) wait_for_credit(box, dest, tag, from);
    }
    if (box.data == nullptr) open_buffer(box, dest, kind, needed, true);
    if (box.tag == run_tag{} && needed <= box.room()) begin_run(box, tag, record_bytes);
  }
  std::size_t const until_poll =
      (settings_.poll_every - std::min<std::uint64_t>(unpolled_, settings_.poll_every - 1)) * bytes;
  box.last = box.cursor + (may_wait ? std::min(box.room(), until_poll) : box.room()) - record_bytes;
}

/// The same without executing anything. False: the pair has no credit.
bool location::try_open_run(outbox& box, run_tag tag, std::size_t bytes, std::uint32_t record_bytes) {
  auto const dest = static_cast<std::uint32_t>(&box - requests_);
  std::size_t const needed = run_header::wire_bytes + bytes;
  if (box.blocked) drain_overflow();
  if (box.blocked) return false;
  if (box.tag != tag) close_run(box, traffic::request);
  if (box.tag != tag || bytes > box.room()) {
    close_run(box, traffic::request);
    if (box.data != nullptr && needed > box.room()) {
      if (!try_ship(box, flush_reason::full)) return false;
      box.threshold = std::min(detail::grown(box.threshold), sizes_for(dest).most);
    }
    if (box.data == nullptr) open_buffer(box, dest, traffic::request, needed, false);
    begin_run(box, tag, record_bytes);
  }
  box.last = box.cursor + box.room() - record_bytes;
  return true;
}

/// Enough requests are in closed runs, or in the open one.
bool location::poll_is_due(outbox const& box, std::size_t next) const {
  if (unpolled_ >= settings_.poll_every) return true;
  return box.tag != run_tag{} && next > box.room_until_poll() && box.room_until_poll() < box.room();
}

void location::begin_run(outbox& box, run_tag tag, std::uint32_t record_bytes) {
  box.run = static_cast<std::uint32_t>(box.used());
  box.tag = tag;
  box.record_bytes = record_bytes;
  box.count = 0;
  header_for(tag).encode(box.cursor);
  box.cursor += run_header::wire_bytes;
}

/// Hands over open buffers, each in its turn, until one of `bytes` fits into the location's share of the budget. It is
/// opened in any case: nobody waits for the budget. Those stay open that wait for credit, as they would not leave
/// earlier; each of them has another one before it in the overflow queue. There may be many, so a few are looked at
/// each time. What takes nothing from the reserve (`may_overflow` false) lets no other request do so, either.
void location::parts::make_room(location& here, std::size_t bytes, bool may_overflow) {
  constexpr int most_passed_over = 32;
  auto const hand_over = [&](outbox& box, std::uint32_t dest, traffic kind) {
    if (box.blocked) return false;
    here.close_run(box, kind);
    if (kind == traffic::request && !may_overflow) return here.try_ship(box, flush_reason::budget);
    here.ship(box, dest, kind, flush_reason::budget);
    return true;
  };
  for (int passed_over = 0; open_bytes + bytes > share && passed_over < most_passed_over;) {
    std::size_t const requests = open[0].size(), all = requests + open[1].size();
    if (all == 0) return;
    std::size_t place = first_to_flush++ % all;
    auto const kind = place < requests ? traffic::request : traffic::answer;
    auto& list = open[static_cast<int>(kind)];
    place -= place < requests ? 0 : requests;
    if (place != 0 && place + 1 == list.size()) {  // the youngest: rather the first, which is next otherwise
      place = 0;
      ++first_to_flush;
    }
    std::uint32_t& dest = list[place];
    outbox& box = here.box_of(dest, kind);
    if (box.data != nullptr && !hand_over(box, dest, kind)) {
      ++passed_over;
      continue;
    }
    box.listed = false;
    dest = list.back();
    list.pop_back();
  }
}

void location::open_buffer(outbox& box, std::uint32_t dest, traffic kind, std::size_t bytes, bool may_overflow) {
  std::size_t const wanted = std::max(bytes, sizes_for(dest).capacity);
  if (parts_->open_bytes + wanted > parts_->share) parts_->make_room(*this, wanted, may_overflow);
  buffer fresh = endpoint_.acquire(location_id{dest}, wanted);
  box.capacity = static_cast<std::uint32_t>(fresh.capacity());
  parts_->open_bytes += box.capacity;
  if (insight) parts_->counts.raise(parts_->counts.open_bytes_high, parts_->open_bytes);
  box.data = box.cursor = fresh.release();
  box.end = static_cast<std::uint32_t>(std::max<std::size_t>(bytes, std::min(box.threshold, box.capacity)));
  if (!box.listed) {
    auto& open = parts_->open[static_cast<int>(kind)];
    bool const first = parts_->open[0].empty() && parts_->open[1].empty();
    if (settings_.flush_age_ns != 0 && first) parts_->opened_at = endpoint_.now();
    open.push_back(dest);
    open_ = true;
    box.listed = true;
    if (insight) parts_->counts.raise(parts_->counts.open_high, parts_->open[0].size() + parts_->open[1].size());
    if (gate_ != nullptr && first) detail::outside(*this).nudge();
  }
}

run_header location::header_for(run_tag tag) const {
  run_header header;
  header.tag = tag;
  header.world_colour = world_->colour;
  header.team_colour = tag.team() < teams_end_ && teams_[tag.team()] != nullptr ? teams_[tag.team()]->colour : 0;
  return header;
}

void location::close_run(outbox& box, traffic kind) {
  if (box.tag == run_tag{}) return;
  std::byte* const run = box.data + box.run;
  auto const bytes = static_cast<std::uint32_t>(box.cursor - run - static_cast<std::ptrdiff_t>(run_header::wire_bytes));
  std::uint32_t const count = box.record_bytes == 0 ? box.count : bytes / box.record_bytes;
  if (count == 0) {
    box.cursor = run;
  } else {
    run_header::encode_sizes(run, count, bytes);
    if (kind == traffic::request) count_sent(static_cast<std::uint32_t>(&box - requests_), box.tag, count);
  }
  box.tag = run_tag{};
}

void location::count_sent(std::uint32_t dest, run_tag tag, std::uint64_t requests) {
  if (insight) parts_->counts.link(dest).created += requests;
  unpolled_ += requests;
  world_->sent += requests;
  if (tag.team() != 0 && !tag.is_published()) teams_[tag.team()]->sent += requests;
}

overflow_queue& location::parts::overflow_to(std::uint32_t dest, traffic kind) {
  auto const same = [&](overflow_queue const& q) { return q.dest == dest && q.kind == kind; };
  auto const at = std::find_if(overflows.begin(), overflows.end(), same);
  if (at != overflows.end()) return *at;
  if (spare_overflows.empty()) spare_overflows.emplace_back();
  overflows.push_back(std::move(spare_overflows.back()));
  spare_overflows.pop_back();
  overflows.back().dest = dest;
  overflows.back().kind = kind;
  return overflows.back();
}

/// Detaches the outbox's buffer and gives it to the transport, behind what the pair has in its overflow queue.
void location::ship(outbox& box, std::uint32_t dest, traffic kind, flush_reason why) {
  std::size_t const bytes = box.used();
  buffer full(&endpoint_.home_for(location_id{dest}), box.data, box.capacity);
  full.set_size(bytes);
  box.data = box.cursor = box.last = nullptr;
  parts_->open_bytes -= box.capacity;
  if (bytes == 0) return;
  ++activity_;
  if (insight) ++parts_->counts.flushes[static_cast<std::size_t>(why)];
  if (!box.blocked && endpoint_.send(location_id{dest}, kind, full)) {
    if (insight) parts_->counts.link(dest).sent(bytes);
    ++box.sent;
    return;
  }
  if (kind == traffic::request) reserve_used_ += full.capacity();
  if (insight) count_overflow();
  overflow_queue& queue = parts_->overflow_to(dest, kind);
  queue.bytes += bytes;
  queue.waiting.push_back(std::move(full));
  errands_ |= send_overflow;
  box.blocked = true;
  if (gate_ != nullptr) detail::outside(*this).nudge();
}

/// The same for requests whose pair waits for nothing. False: it has no credit, and the buffer stays.
bool location::try_ship(outbox& box, flush_reason why) {
  std::size_t const bytes = box.used();
  location_id const dest{static_cast<std::uint32_t>(&box - requests_)};
  buffer full(&endpoint_.home_for(dest), box.data, box.capacity);
  full.set_size(bytes);
  bool const sent = bytes == 0 || endpoint_.send(dest, traffic::request, full);
  if (!sent) {
    box.data = full.release();
    box.cursor = box.last = box.data + bytes;
    return false;
  }
  box.data = box.cursor = box.last = nullptr;
  parts_->open_bytes -= box.capacity;
  if (bytes == 0) return true;
  ++activity_;
  ++box.sent;
  if (insight) {
    ++parts_->counts.flushes[static_cast<std::size_t>(why)];
    parts_->counts.link(number(dest)).sent(bytes);
  }
  return true;
}

void location::count_overflow() {
  auto& counts = parts_->counts;
  counts.raise(counts.overflow_high, ++counts.overflow_now);
  counts.raise(counts.reserve_high, reserve_used_);
}

bool location::drain_overflow() {
  bool any = false;
  auto& queues = parts_->overflows;
  for (std::size_t i = 0; i < queues.size();) {
    overflow_queue& queue = queues[i];
    while (!queue.waiting.empty()) {
      buffer& next = queue.waiting.front();
      std::size_t const capacity = next.capacity(), bytes = next.size();
      if (!endpoint_.send(location_id{queue.dest}, queue.kind, next)) break;
      if (queue.kind == traffic::request) reserve_used_ -= capacity;
      queue.bytes -= bytes;
      if (insight) {
        parts_->counts.link(queue.dest).sent(bytes);
        --parts_->counts.overflow_now;
      }
      queue.waiting.pop_front();
      outbox& box = box_of(queue.dest, queue.kind);
      ++box.drained;
      ++box.sent;
      ++activity_;
      any = true;
    }
    if (queue.waiting.empty()) {
      box_of(queue.dest, queue.kind).blocked = false;
      std::swap(queue, queues.back());
      parts_->spare_overflows.push_back(std::move(queues.back()));
      queues.pop_back();
    } else {
      ++i;
    }
  }
  if (queues.empty()) errands_ &= static_cast<std::uint8_t>(~send_overflow);
  return any;
}

/// Writes the short header in front of the one record of `entry`, at whose beginning is room for a long one.
std::span<std::byte const> location::with_lone_header(run_tag tag, std::span<std::byte> entry) const {
  std::span<std::byte> const lone = entry.subspan(run_header::wire_bytes - run_header::lone_bytes);
  header_for(tag).encode_lone(lone.data());
  return lone;
}

void location::send_urgent(std::uint32_t dest, traffic kind, run_tag tag, std::span<std::byte> entry, call_site from) {
  detail::admission const inside(gate_);
  outbox& box = box_of(dest, kind);
  auto const bytes = static_cast<std::uint32_t>(entry.size() - run_header::wire_bytes);
  if (run_header::lone_bytes + bytes <= endpoint_.inline_capacity()) {
    if (box.data != nullptr) flush(dest, kind, flush_reason::urgent);
    if (!box.blocked && endpoint_.send_inline(location_id{dest}, kind, with_lone_header(tag, entry))) {
      ++activity_;
      ++box.sent;
      if (insight) parts_->counts.link(dest).sent(run_header::lone_bytes + bytes);
      if (kind == traffic::request) count_sent(dest, tag, 1);
      return;
    }
  }
  std::byte* const to = append_varying(box, kind, tag, bytes, from);
  std::memcpy(to, entry.data() + run_header::wire_bytes, bytes);
  flush(dest, kind, flush_reason::urgent);
}

bool location::offer_answer(std::uint32_t dest, run_tag tag, std::span<std::byte> entry) {
  detail::admission const inside(gate_);
  auto const lone = with_lone_header(tag, entry);
  if (answers_[dest].blocked || !endpoint_.send_inline(location_id{dest}, traffic::answer, lone)) return false;
  if (insight) parts_->counts.link(dest).sent(lone.size());
  return true;
}

void location::flush(std::uint32_t dest, traffic kind, flush_reason why) {
  detail::admission const inside(gate_);
  outbox& box = box_of(dest, kind);
  if (box.data == nullptr) return;
  close_run(box, kind);
  ship(box, dest, kind, why);
}

bool location::parts::any_may_leave(location& here) const {
  for (auto const kind : {traffic::request, traffic::answer}) {
    for (std::uint32_t const dest : open[static_cast<int>(kind)]) {
      if (!here.box_of(dest, kind).blocked) return true;
    }
  }
  return false;
}

/// Unless it was asked for, a buffer behind others that wait for credit stays open: it would not leave earlier, and a
/// program that sends, and then polls or waits for something else, could add one after the other, each in a block of
/// its own, and never come to wait_for_credit.
void location::flush_all(flush_reason why) {
  detail::admission const inside(gate_);
  bool const none_leaves_early = why == flush_reason::age || why == flush_reason::idle;
  open_ = false;
  for (auto const kind : {traffic::answer, traffic::request}) {
    auto& open = parts_->open[static_cast<int>(kind)];
    std::size_t const all = open.size(), from = all == 0 ? 0 : parts_->first_to_flush++ % all;
    for (std::size_t i = 0; i < all; ++i) {
      std::uint32_t const dest = open[(from + i) % all];
      outbox& box = box_of(dest, kind);
      if (box.blocked && none_leaves_early) continue;
      box.listed = false;
      box.threshold = sizes_for(dest).first;
      flush(dest, kind, why);
    }
    std::erase_if(open, [&](std::uint32_t dest) { return !box_of(dest, kind).listed; });
    open_ = open_ || !open.empty();
  }
  if (endpoint_.lanes() != 1) endpoint_.flush();
}

void location::flush_old() {
  bool const any = !parts_->open[0].empty() || !parts_->open[1].empty();
  std::uint64_t const now = any ? endpoint_.now() : 0;
  if (!any || now - parts_->opened_at < settings_.flush_age_ns) return;
  parts_->opened_at = now;  // of what stays
  flush_all(flush_reason::age);
}

/// Until what is in the queue now has left it; not for what handlers add meanwhile, which may be without end.
void location::wait_for_credit(outbox const& box, std::uint32_t dest, run_tag tag, call_site from) {
  detail::wait_site const site{
      .what = "sending a request", .for_what = detail::awaited::room, .on = dest, .tag = tag, .from = from};
  auto const queued = static_cast<std::uint32_t>(parts_->overflow_to(dest, traffic::request).waiting.size());
  std::uint32_t const enough = box.drained + queued;
  wait(wait_kind::credit, site, [&] { return !box.blocked || static_cast<std::int32_t>(enough - box.drained) <= 0; });
}

}  // namespace sheaf
