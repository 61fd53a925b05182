// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/insight.hpp"
#include "message/outside.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

/// By half; from 4 KiB, up to which message-passing libraries send at once, to 8 KiB, which is worth their handshake;
/// then slowly, so that a burst of some hundred KiB still overlaps with its execution.
std::uint32_t grown(std::uint32_t threshold) {
  constexpr std::uint32_t eager = 4096;
  if (threshold < eager) return threshold + threshold / 2;
  return threshold < 2 * eager ? 2 * threshold : threshold + threshold / 8;
}

stream::~stream() {
  each_box([&](outbox& box) {
    if (box.data != nullptr) buffer(&all_.net.home_for(location_id{box.dest}), box.data, box.capacity);
  });
}

outbox& stream::box(std::uint32_t dest) {
  outbox& box = boxes_[dest];
  if (box.owner == nullptr) {
    box.owner = this;
    box.dest = dest;
    box.filled = &box;
    box.threshold = all_.sizes_for(dest).first;
  }
  if (!all_.gated) return box;
  outbox& shown = shown_[dest];
  if (shown.owner != nullptr) return shown;  // others may look at it, outside of the gate
  shown.owner = this;
  shown.dest = dest;
  shown.filled = &box;
  return shown;
}

location& stream::home() const { return all_.here; }

void stream::reset_thresholds() {
  each_box([&](outbox& box) { box.threshold = all_.sizes_for(box.dest).first; });
}

/// Answers never wait, nor do requests of a handler.
bool stream::waits() const { return kind_ == traffic::request && !all_.here.in().in_handler(); }

// ---- records into runs ---------------------------------------------------------------------------------------------

std::byte* stream::append(outbox& box, run_tag tag, std::size_t bytes, std::uint32_t record_bytes, call_site from) {
  bool const fits = record_bytes != 0 ? box.takes(tag) : box.takes(tag, bytes);
  if (!fits) open_run(box, tag, bytes, record_bytes, from);
  if (record_bytes != 0) return box.next(record_bytes);
  ++box.count;
  return std::exchange(box.cursor, box.cursor + bytes);
}

std::byte* stream::try_append(outbox& box, run_tag tag, std::size_t bytes, std::uint32_t record_bytes) {
  if (!try_open_run(box, tag, bytes, record_bytes)) return nullptr;
  box.count += record_bytes == 0 ? 1 : 0;
  return std::exchange(box.cursor, box.cursor + bytes);
}

/// Enough requests are in closed runs, or in the open one.
static bool poll_is_due(sender const& all, outbox const& box, std::size_t next) {
  if (all.unpolled >= all.settings.poll_every) return true;
  return box.tag != run_tag{} && next > box.room_until_poll() && box.room_until_poll() < box.room();
}

void stream::open_run(outbox& box, run_tag tag, std::size_t bytes, std::uint32_t record_bytes, call_site from) {
  std::size_t const needed = run_header::wire_bytes + bytes;
  bool const may_wait = waits();
  if (box.tag != tag) close_run(box);
  if (may_wait && poll_is_due(all_, box, bytes)) all_.here.poll_between_requests();
  // Polling and waiting for credit execute requests, whose handlers may use this very outbox: hence the loop.
  while (box.tag != tag || bytes > box.room()) {
    close_run(box);
    if (box.data != nullptr && needed > box.room()) {
      ship(box, flush_reason::full);
      grow(box);
      if (box.blocked && may_wait) wait_for_credit(box, tag, from);
    }
    if (box.data == nullptr) open_buffer(box, needed, true);
    if (box.tag == run_tag{} && needed <= box.room()) begin_run(box, tag, record_bytes);
  }
  std::uint64_t const poll_every = all_.settings.poll_every;
  std::size_t const until_poll = (poll_every - std::min(all_.unpolled, poll_every - 1)) * bytes;
  box.last = box.cursor + (may_wait ? std::min(box.room(), until_poll) : box.room()) - record_bytes;
}

bool stream::try_open_run(outbox& box, run_tag tag, std::size_t bytes, std::uint32_t record_bytes) {
  std::size_t const needed = run_header::wire_bytes + bytes;
  if (box.blocked) all_.drain();
  if (box.blocked) return false;
  if (box.tag != tag) close_run(box);
  if (box.tag != tag || bytes > box.room()) {
    close_run(box);
    if (box.data != nullptr && needed > box.room()) {
      if (!try_ship(box, flush_reason::full)) return false;
      grow(box);
    }
    if (box.data == nullptr) open_buffer(box, needed, false);
    begin_run(box, tag, record_bytes);
  }
  box.last = box.cursor + box.room() - record_bytes;
  return true;
}

void stream::grow(outbox& box) { box.threshold = std::min(grown(box.threshold), all_.sizes_for(box.dest).most); }

void stream::begin_run(outbox& box, run_tag tag, std::uint32_t record_bytes) {
  box.run = box.used();
  box.tag = tag;
  box.record_bytes = record_bytes;
  box.count = 0;
  home().registered().header_for(tag).encode(box.cursor);
  box.cursor += run_header::wire_bytes;
}

void stream::close_run(outbox& box) {
  if (box.tag == run_tag{}) return;
  std::byte* const run = box.data + box.run;
  auto const bytes = static_cast<std::size_t>(box.cursor - run) - run_header::wire_bytes;
  auto const count = box.record_bytes == 0 ? box.count : static_cast<std::uint32_t>(bytes / box.record_bytes);
  if (count == 0) {
    box.cursor = run;
  } else {
    run_header::encode_sizes(run, count, bytes);
    if (bytes > run_header::most_bytes) box.end = box.used();  // the header says that it ends its entry
    if (kind_ == traffic::request) all_.count_sent(box.dest, box.tag, count);
  }
  box.tag = run_tag{};
}

// ---- runs into buffers ---------------------------------------------------------------------------------------------

void stream::open_buffer(outbox& box, std::size_t bytes, bool may_overflow) {
  std::size_t const wanted = std::max(bytes, all_.sizes_for(box.dest).capacity);
  all_.make_room(wanted, may_overflow);
  buffer fresh = all_.net.acquire(location_id{box.dest}, wanted);
  box.capacity = fresh.capacity();
  all_.opened(box.capacity);
  box.data = box.cursor = fresh.release();
  box.end = std::max(bytes, std::min<std::size_t>(box.threshold, box.capacity));
  if (!box.listed) list(box);
}

void stream::list(outbox& box) {
  bool const first = all_.none_open();
  open_.push_back(&box);
  box.listed = true;
  if (insight) all_.counts.raise(all_.counts.open_high, all_.open_boxes());
  if (all_.gated && first) outside(all_.here).nudge();
}

/// There may be many that wait for credit, so a few are looked at each time. The youngest comes last.
bool stream::release(bool may_overflow) {
  constexpr std::size_t most_passed_over = 32;
  for (std::size_t looks = std::min(open_.size(), most_passed_over); looks != 0; --looks) {
    std::size_t place = first_to_flush_++ % open_.size();
    if (place != 0 && place + 1 == open_.size()) {
      place = 0;
      ++first_to_flush_;
    }
    outbox& box = *open_[place];
    if (box.data != nullptr) {
      if (box.blocked) continue;
      close_run(box);
      if (kind_ == traffic::answer || may_overflow) {
        ship(box, flush_reason::budget);
      } else if (!try_ship(box, flush_reason::budget)) {
        continue;
      }
    }
    box.listed = false;
    open_[place] = open_.back();
    open_.pop_back();
    return true;
  }
  return false;
}

bool stream::may_leave() const {
  return std::any_of(open_.begin(), open_.end(), [](outbox const* box) { return !box->blocked; });
}

bool stream::all_sent() const {
  auto const holds = [](outbox const* box) { return box->data != nullptr && box->used() != 0; };
  return overflows_.empty() && std::none_of(open_.begin(), open_.end(), holds);
}

void stream::flush(outbox& box, flush_reason why) {
  if (box.data == nullptr) return;
  close_run(box);
  ship(box, why);
}

/// Unless it was asked for, a buffer behind others that wait for credit stays open: it would not leave earlier, and a
/// program that sends, and then polls or waits for something else, could add one after the other, each in a block of
/// its own, and never come to wait_for_credit.
void stream::flush(flush_reason why) {
  bool const none_leaves_early = why == flush_reason::age || why == flush_reason::idle;
  std::size_t const all = open_.size(), from = all == 0 ? 0 : first_to_flush_++ % all;
  for (std::size_t i = 0; i < all; ++i) {
    outbox& box = *open_[(from + i) % all];
    if (box.blocked && none_leaves_early) continue;
    box.listed = false;
    box.threshold = all_.sizes_for(box.dest).first;
    flush(box, why);
  }
  std::erase_if(open_, [](outbox const* box) { return !box->listed; });
}

// ---- buffers to the transport --------------------------------------------------------------------------------------

/// Detaches the outbox's buffer and gives it to the transport, behind what the pair has in its overflow queue.
void stream::ship(outbox& box, flush_reason why) {
  std::size_t const bytes = box.used();
  buffer full(&all_.net.home_for(location_id{box.dest}), box.data, box.capacity);
  full.set_size(bytes);
  box.data = box.cursor = box.last = nullptr;
  all_.closed(box.capacity);
  if (bytes == 0) return;
  all_.moved();
  if (insight) ++all_.counts.flushes[static_cast<std::size_t>(why)];
  if (box.blocked || !all_.net.send(location_id{box.dest}, kind_, full)) return overflow(box, std::move(full));
  if (insight) all_.counts.link(box.dest).sent(bytes);
  ++box.sent;
}

/// Waits for nothing: false where the pair has no credit, and the buffer stays.
bool stream::try_ship(outbox& box, flush_reason why) {
  std::size_t const bytes = box.used();
  location_id const dest{box.dest};
  buffer full(&all_.net.home_for(dest), box.data, box.capacity);
  full.set_size(bytes);
  if (bytes != 0 && !all_.net.send(dest, kind_, full)) {
    box.data = full.release();
    box.cursor = box.last = box.data + bytes;
    return false;
  }
  box.data = box.cursor = box.last = nullptr;
  all_.closed(box.capacity);
  if (bytes == 0) return true;
  all_.moved();
  ++box.sent;
  if (insight) {
    ++all_.counts.flushes[static_cast<std::size_t>(why)];
    all_.counts.link(box.dest).sent(bytes);
  }
  return true;
}

overflow_queue const* stream::overflow_of(outbox const& box) const {
  auto const at = std::find_if(overflows_.begin(), overflows_.end(), [&](auto const& q) { return q.box == &box; });
  return at == overflows_.end() ? nullptr : &*at;
}

void stream::overflow(outbox& box, buffer&& full) {
  all_.hold_back(kind_, full.capacity());
  auto at = std::find_if(overflows_.begin(), overflows_.end(), [&](auto const& q) { return q.box == &box; });
  if (at == overflows_.end()) {
    if (spare_overflows_.empty()) spare_overflows_.emplace_back();
    overflows_.push_back(std::move(spare_overflows_.back()));
    spare_overflows_.pop_back();
    at = overflows_.end() - 1;
    at->box = &box;
  }
  at->bytes += full.size();
  at->waiting.push_back(std::move(full));
  box.blocked = true;
}

bool stream::drain() {
  bool any = false;
  for (std::size_t i = 0; i < overflows_.size();) {
    overflow_queue& queue = overflows_[i];
    outbox& box = *queue.box;
    while (!queue.waiting.empty()) {
      buffer& next = queue.waiting.front();
      std::size_t const capacity = next.capacity(), bytes = next.size();
      if (!all_.net.send(location_id{box.dest}, kind_, next)) break;
      all_.let_go(kind_, box.dest, capacity, bytes);
      queue.bytes -= bytes;
      queue.waiting.pop_front();
      ++box.drained;
      ++box.sent;
      any = true;
    }
    if (!queue.waiting.empty()) {
      ++i;
      continue;
    }
    box.blocked = false;
    std::swap(queue, overflows_.back());
    spare_overflows_.push_back(std::move(overflows_.back()));
    overflows_.pop_back();
  }
  return any;
}

void stream::wait_for_credit(outbox const& box, run_tag tag, call_site from) {
  wait_site const site{
      .what = "sending a request", .for_what = awaited::room, .on = box.dest, .tag = tag, .from = from};
  overflow_queue const* const queue = overflow_of(box);
  std::uint32_t const enough = box.drained + static_cast<std::uint32_t>(queue == nullptr ? 0 : queue->waiting.size());
  all_.here.wait(wait_kind::credit, site,
                 [&] { return !box.blocked || static_cast<std::int32_t>(enough - box.drained) <= 0; });
}

// ---- records that go at once ---------------------------------------------------------------------------------------

/// Writes the short header in front of the one record of `entry`, at whose beginning is room for a long one.
std::span<std::byte const> stream::with_lone_header(run_tag tag, std::span<std::byte> entry) const {
  std::span<std::byte> const lone = entry.subspan(run_header::wire_bytes - run_header::lone_bytes);
  home().registered().header_for(tag).encode_lone(lone.data());
  return lone;
}

void stream::send_urgent(outbox& box, run_tag tag, std::span<std::byte> entry, call_site from) {
  std::size_t const bytes = entry.size() - run_header::wire_bytes;
  if (run_header::lone_bytes + bytes <= all_.net.inline_capacity()) {
    flush(box, flush_reason::urgent);
    if (!box.blocked && all_.net.send_inline(location_id{box.dest}, kind_, with_lone_header(tag, entry))) {
      all_.moved();
      ++box.sent;
      if (insight) all_.counts.link(box.dest).sent(run_header::lone_bytes + bytes);
      if (kind_ == traffic::request) all_.count_sent(box.dest, tag, 1);
      return;
    }
  }
  std::byte* const to = append(box, tag, bytes, 0, from);
  std::memcpy(to, entry.data() + run_header::wire_bytes, bytes);
  flush(box, flush_reason::urgent);
}

bool stream::offer(outbox& box, run_tag tag, std::span<std::byte> entry) {
  auto const lone = with_lone_header(tag, entry);
  if (box.blocked || !all_.net.send_inline(location_id{box.dest}, kind_, lone)) return false;
  if (insight) all_.counts.link(box.dest).sent(lone.size());
  return true;
}

}  // namespace sheaf::detail
