// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/insight.hpp"
#include "message/put_marks.hpp"
#include "message/router.hpp"
#include "message/taken.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

stream::stream(sender& of_all, stream_plan const& plan)
    : all_(of_all),
      kind_(plan.kind),
      sizes_(plan.sizes),
      path_(kind_ == traffic::request ? all_.routes.path_of(plan.path, plan.partners) : nullptr),
      by_(plan.by) {
  if (sizes_.has_value()) {
    sender::check_sizes(sizes_->near);
    sender::check_sizes(sizes_->far);
  }
  if (static_cast<std::size_t>(kind_) >= traffic_classes) {
    throw usage_error("sheaf: a stream of class " + std::to_string(static_cast<unsigned>(kind_)) + "; there are " +
                      std::to_string(traffic_classes) + " classes");
  }
  all_.join(*this);
}

stream::~stream() {
  all_.leave(*this);
  each_box([&](outbox& box) {
    if (box.data != nullptr) buffer(&all_.net.home_for(location_id{box.dest}), box.data, box.capacity);
  });
}

outbox& stream::box(std::uint32_t dest) {
  if (path_ != nullptr) [[unlikely]] {
    if (outbox* const routed = all_.routes.box_to(dest, *path_); routed != nullptr) return *routed;
  }
  if (!all_.gated || by_ == sending_threads::owner_alone) return filled_box(dest);
  if (outbox* const known = shown_.find(dest); known != nullptr) return *known;
  admission const inside(home().gate());
  outbox& shown = shown_[dest];
  shown.owner = this;
  shown.dest = dest;
  shown.shown = true;
  shown.other = &filled_box(dest);
  return shown;
}

outbox& stream::filled_box(std::uint32_t dest) {
  if (outbox* const known = boxes_.find(dest); known != nullptr) return *known;
  if (dest >= all_.net.size()) {
    throw usage_error("sheaf: an outbox for location " + std::to_string(dest) + " of " +
                      std::to_string(all_.net.size()) + "; take the number from team_state::members");
  }
  outbox& box = boxes_[dest];
  stream& owners = all_.of(kind_);
  box.owner = this;
  box.dest = dest;
  box.other = this == &owners ? &box : &owners.filled_box(dest);
  box.threshold = sizes_for(dest).first;
  return box;
}

location& stream::home() const { return all_.here; }

buffer_sizes const& stream::sizes_for(std::uint32_t dest) const {
  size_policy const& all = sizes_.has_value() ? *sizes_ : all_.sizes;
  return all_.net.near(location_id{dest}) ? all.near : all.far;
}

/// Answers never wait, nor do requests of a handler.
bool stream::waits() const { return is_request(kind_) && !all_.here.in().in_handler(); }

bool stream::is_too_deep(run_tag next) const {
  return scope_.generation() == run_scope::too_deep && is_in(scope_, next);
}

void stream::check_depth(run_tag next, call_site from) const {
  if (is_too_deep(next)) [[unlikely]]
    throw_too_deep(scope_, from);
}

namespace {

/// Whether the record may be one of the open run's, room aside. A run of several windows stays short (count_awaited).
bool goes_on(outbox const& box, record_form const& next) {
  if (box.tag != next.tag || next.who == nullptr) return box.tag == next.tag;
  return box.questions->noted() < (box.window == next.who->window ? question_run::most : question_run::most_mixed);
}

bool takes(outbox const& box, record_form const& next) {
  return goes_on(box, next) && (next.each != 0 ? box.takes(next.tag) : box.takes(next.tag, next.bytes));
}

/// What stands in front of a run's records.
std::size_t head_bytes(record_form const& next) {
  return run_header::wire_bytes + (next.who == nullptr ? 0 : run_header::questions_bytes);
}

/// Bytes of the next questions, which have `bytes` each, for whose answers there are places.
std::size_t room_for_places(outbox const& box, std::size_t bytes) {
  return (std::min(box.questions->capacity, box.questions->limit) - box.questions->noted()) * bytes;
}

/// Makes a place for the answer to the next question. True: the open run takes it, since places alone were missing.
bool makes_place(outbox& box, record_form const& next) {
  if (next.who == nullptr || !goes_on(box, next)) return false;
  question_run& run = *box.questions;
  if (run.noted() != run.capacity) return false;
  box.place = run.grow();
  if (next.each == 0 || run.noted() >= run.limit) return false;
  box.last = box.cursor + room_for_places(box, next.each) - next.each;
  return true;
}

}  // namespace

std::byte* stream::append(outbox& box, record_form const& next, bool may_overflow, call_site from) {
  if (!may_overflow && box.pair().blocked) all_.drain();
  if (!may_overflow && box.pair().blocked) return nullptr;
  std::optional<taken> alone;
  if (by_ == sending_threads::lock_free) alone.emplace(*this);
  take_scope();
  check_depth(next.tag, from);
  bool const fits = makes_place(box, next) || takes(box, next);
  if (!fits && !open_run(box, next, may_overflow, from)) return nullptr;
  if (next.who != nullptr) makes_place(box, next);
  if (next.who != nullptr && (box.window = next.who->window) != nullptr) box.questions->serve(*box.window);
  if (next.each != 0) return box.next(next.each);
  ++box.count;
  return std::exchange(box.cursor, box.cursor + next.bytes);
}

/// In the open run, or a new one in the open buffer, which stays. Runs of questions begin and end inside the gate.
bool stream::has_room(outbox& box, record_form const& next) {
  if (takes(box, next)) return true;
  if (is_too_deep(next.tag)) return false;
  bool const may_wait = this == &all_.of(kind_) && waits();
  bool const due = may_wait && unpolled >= all_.settings.poll_every;
  if (box.tag == next.tag || box.data == nullptr || box.questions != nullptr || due) return false;
  if (all_.any_put.load(std::memory_order_relaxed) && (all_.gated || is_behind_puts(box))) return false;
  close_run(box);
  if (head_bytes(next) + next.bytes > box.room()) return false;
  begin_run(box, next);
  limit_run(box, next.bytes, may_wait);
  return true;
}

bool stream::open_run(outbox& box, record_form const& next, bool may_overflow, call_site from) {
  if (is_behind_puts(box) && !mark_puts(box, may_overflow, from)) return false;
  std::size_t const needed = head_bytes(next) + next.bytes;
  bool const may_wait = may_overflow && waits();
  if (!goes_on(box, next)) close_run(box);
  std::size_t const until_poll = box.tag == run_tag{} ? box.room() : box.room_until_poll();
  bool const due_in_run = next.bytes > until_poll && until_poll < box.room();
  if (may_wait && (due_in_run || unpolled >= all_.settings.poll_every)) {
    unpolled = 0;
    all_.here.poll_between_requests();
  }
  // Polling and waiting for credit execute requests, whose handlers may use this very outbox, as may a source that
  // makes room, and other threads: hence the loop.
  while (take_scope(), !goes_on(box, next) || next.bytes > box.room()) {
    close_run(box);
    if (box.data != nullptr && needed > box.room()) {
      constexpr std::size_t small = 512;
      if (!ship(box, flush_reason::full, may_overflow, next.bytes <= small)) return false;
      box.threshold = std::min(grown(box.threshold), sizes_for(box.dest).most);
      if (box.pair().blocked && may_wait) box.pair().owner->wait_for_credit(box.pair(), next.tag, from);
    }
    if (box.data == nullptr) open_buffer(box, needed, may_overflow);
    if (box.tag == run_tag{} && needed <= box.room()) begin_run(box, next);
  }
  limit_run(box, next.bytes, may_wait);
  return true;
}

/// The next record of the open run has `bytes`.
void stream::limit_run(outbox& box, std::size_t bytes, bool may_wait) {
  std::uint64_t const poll_every = all_.settings.poll_every;
  std::size_t const until_poll = (poll_every - std::min(unpolled, poll_every - 1)) * bytes;
  std::size_t room = may_wait ? std::min(box.room(), until_poll) : box.room();
  if (box.questions != nullptr && box.record_bytes != 0) {
    std::size_t const limit = box.questions->noted() + room / bytes;
    box.questions->limit = static_cast<std::uint32_t>(std::min<std::size_t>(limit, question_run::most));
    room = room_for_places(box, bytes);
  }
  box.last = box.cursor + room - box.record_bytes;
}

void stream::begin_run(outbox& box, record_form const& next) {
  take_scope();
  if (next.who != nullptr) box.questions = &home().calls().questions.begin(*next.who, {next.tag, box.dest});
  box.run = box.used();
  box.tag = next.tag;
  box.record_bytes = next.each;
  box.count = 0;
  run_header header{.tag = next.tag};
  if (is_in(scope_, next.tag)) header.set_scope(scope_, 0);
  header.encode(box.cursor);
  box.cursor += run_header::wire_bytes;
  if (box.questions == nullptr) return;
  box.questions->in = &box;
  box.place = box.questions->places;
  std::memcpy(box.cursor, &box.questions->number, run_header::questions_bytes);
  box.cursor += run_header::questions_bytes;
}

void stream::close_run(outbox& box) {
  if (box.tag == run_tag{}) return;
  std::byte* const run = box.data + box.run;
  auto const bytes = static_cast<std::size_t>(box.cursor - run) - run_header::wire_bytes;
  std::uint32_t const count = box.open_records();
  if (box.questions != nullptr) home().calls().questions.close(*std::exchange(box.questions, nullptr), count);
  if (count == 0) {
    box.cursor = run;
  } else {
    run_header::encode_sizes(run, count, bytes);
    if (bytes > run_header::most_bytes) box.end = box.used();  // the header says that it ends its entry
    if (kind_ == traffic::request) unpolled += count;
    if (kind_ == traffic::request && !all_.gated) {
      // Not read from the header: the stores to it are under way, and a load that covers several waits for them all.
      run_header of{.tag = box.tag, .count = count, .bytes = bytes};
      if (is_in(scope_, box.tag)) of.set_scope(scope_, 0);
      stamp(box, run, of);
    }
  }
  box.tag = run_tag{};
  box.last = nullptr;
}

/// Colours and counts a run, as its encoded header says what it is. From now on it is sent, as a cut sees it.
void stream::stamp(outbox const& box, std::byte* header, run_header const& run) {
  home().registered().header_for(run.tag, run.in_scope()).encode_colours(header);
  all_.count_sent(box.dest, run.tag, run.in_scope(), run.count);
}

run_scope stream::enter(run_scope next) {
  if (next == scope_) return next;
  taken const now(*this);
  for (outbox* const box : open_) {
    if (box->data != nullptr) close_run(*box);
  }
  return std::exchange(scope_, next);
}

/// The runs of a buffer that is about to leave; inside the gate.
void stream::stamp_all(outbox& box) {
  if (kind_ != traffic::request) return;
  std::byte* at = box.data + std::exchange(box.stamped, 0);
  while (at != box.cursor) {
    run_header run;
    std::size_t const head = run_header::read(at, static_cast<std::size_t>(box.cursor - at), run);
    stamp(box, at, run);
    at += head + run.bytes;
  }
}

void stream::open_buffer(outbox& box, std::size_t bytes, bool may_overflow) {
  std::size_t const wanted = std::max(bytes, sizes_for(box.dest).capacity);
  if (is_routed(kind_)) all_.routes.opens();
  all_.make_room(wanted, may_overflow);
  if (box.data != nullptr) return;  // a source that made room has opened one here
  buffer fresh = all_.take_block(box.dest, wanted);
  box.capacity = fresh.capacity();
  all_.opened(box.capacity);
  box.data = box.cursor = fresh.release();
  box.end = std::max(bytes, std::min<std::size_t>(box.threshold, box.capacity));
  if (box.listed) return;
  open_.push_back(&box);
  box.listed = true;
  if (insight) all_.counts.raise(all_.counts.most.open_buffers, all_.open_boxes());
}

/// There may be many that wait for credit, so a few are looked at each time. The youngest comes last.
bool stream::release(bool may_overflow) {
  if (is_anothers()) return false;
  taken const now(*this);
  constexpr std::size_t most_passed_over = 32;
  for (std::size_t looks = std::min(open_.size(), most_passed_over); looks != 0; --looks) {
    std::size_t place = first_to_flush_++ % open_.size();
    if (place != 0 && place + 1 == open_.size()) {
      place = 0;
      ++first_to_flush_;
    }
    outbox& box = *open_[place];
    if (box.data != nullptr) {
      if (box.pair().blocked) continue;
      close_run(box);
      if (!ship(box, flush_reason::budget, kind_ == traffic::answer || may_overflow)) continue;
    }
    box.listed = false;
    open_[place] = open_.back();
    open_.pop_back();
    return true;
  }
  return false;
}

bool stream::may_leave() const {
  if (is_anothers()) return false;
  if (is_routed(kind_) && !open_.empty() && !all_.routes.is_quiet()) return false;
  return std::any_of(open_.begin(), open_.end(), [](outbox const* box) { return !box->pair().blocked; });
}

bool stream::all_sent() const {
  auto const holds = [](outbox const* box) { return box->data != nullptr && box->used() != 0; };
  return overflows_.empty() && std::none_of(open_.begin(), open_.end(), holds);
}

void stream::flush(outbox& box, flush_reason why) {
  if (box.data == nullptr) return;
  if (is_routed(kind_) && why == flush_reason::urgent && box.tag != run_tag{}) mark_urgent(box);
  close_run(box);  // some records stand alone in their runs
  // Behind others that wait for credit it would not leave earlier, and each record would have a block of its own.
  bool const gathers_on = why == flush_reason::urgent && box.pair().blocked && !is_routed(kind_);
  gathers_on ? static_cast<void>(all_.hurried = true) : static_cast<void>(ship(box, why, true));
}

/// Unless it was asked for, a buffer behind others that wait for credit stays open: it would not leave earlier, and a
/// program that sends and polls could add blocks for ever, and never come to wait_for_credit.
void stream::flush(flush_reason why) {
  if (is_anothers()) return;
  taken const now(*this);
  bool const for_credit = why == flush_reason::credit;
  bool const is_asked = !for_credit && why != flush_reason::idle && why != flush_reason::fence;
  bool const by_stages = is_routed(kind_) && !is_asked;
  bool const none_leaves_early = why == flush_reason::age || why == flush_reason::idle || for_credit;
  std::size_t const all = open_.size();
  std::size_t next = all <= 1 ? 0 : first_to_flush_++ % all;
  for (std::size_t i = 0; i < all; ++i) {
    outbox& box = *open_[next];
    next = next + 1 == all ? 0 : next + 1;
    if ((box.pair().blocked && none_leaves_early) || (by_stages && !all_.routes.may_go(box))) continue;
    if (by_stages && box.data != nullptr) all_.routes.has_gone();
    if (!for_credit) box.threshold = sizes_for(box.dest).first;
    flush(box, why);
    box.listed = false;  // not where that throws
  }
  std::erase_if(open_, [](outbox const* box) { return !box->listed; });
}

/// Detaches the outbox's buffer and gives it to the transport, behind what the pair has in its overflow queue, or puts
/// it there. Unless it `may_overflow`: then false where the pair has no credit, and the buffer stays. `of_small`: it is
/// full, and the record that found no room is small.
bool stream::ship(outbox& box, flush_reason why, bool may_overflow, bool of_small) {
  std::size_t const bytes = box.used();
  if (all_.gated) stamp_all(box);
  outbox& pair = box.pair();
  buffer full(&all_.net.home_for(location_id{box.dest}), std::exchange(box.data, nullptr), box.capacity);
  full.set_size(bytes);
  full.set_streams(of_small);
  auto const stays = [&] {
    box.data = full.release();
    box.cursor = box.data + bytes;
    box.stamped = bytes;
    return false;
  };
  bool left = bytes == 0;
  try {
    // Asked for, a little goes without a block, which is faster; elsewhere it stays one, which its receiver may keep.
    bool const goes_inline = why == flush_reason::asked && bytes <= all_.net.inline_capacity();
    if (!left && !pair.blocked && goes_inline) {
      left = all_.net.send_inline(location_id{box.dest}, kind_, {full.data(), bytes});
      if (left && box.capacity <= sizes_for(box.dest).capacity) all_.keep_block(box.dest, full);
    }
    left = left || (!pair.blocked && all_.net.send(location_id{box.dest}, kind_, full));
    if (!left && may_overflow) pair.owner->overflow(pair, full);
  } catch (...) {  // no memory: its requests are counted as sent, and it may leave later
    stays();
    throw;
  }
  if (!left && !may_overflow) return stays();
  box.cursor = &outbox::nowhere;
  all_.closed(box.capacity);
  if (bytes == 0) return true;
  all_.here.in().stir();
  if (insight) ++all_.counts.flushes[static_cast<std::size_t>(why)];
  if (!left) return true;
  if (insight) all_.counts.link(box.dest).sent(bytes);
  ++pair.sent;
  return true;
}

}  // namespace sheaf::detail
