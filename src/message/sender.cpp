// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/sender.hpp"

#include <algorithm>
#include <string>

#include "base/buffer_budget.hpp"
#include "base/insight.hpp"
#include "message/outside.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

sender::sender(location& owner)
    : here(owner),
      net(owner.connection()),
      settings(owner.settings()),
      reserve_cap(settings.reserve_bytes),
      requests_(*this, traffic::request),
      answers_(*this, traffic::answer),
      sources_{&answers_, &requests_} {
  far_.capacity = far_buffer_bytes(settings, net.lanes());
  limit(far_, settings.first_flush_bytes, far_.capacity);
  near_.capacity = settings.near_buffer_bytes != 0 ? settings.near_buffer_bytes : settings.buffer_bytes;
  bool const set_apart = settings.near_first_flush_bytes != 0;
  limit(near_, set_apart ? settings.near_first_flush_bytes : settings.first_flush_bytes, near_.capacity);
  share_ = settings.buffer_budget / budget_shares(settings.transport, net.size(), net.lanes());
}

void sender::limit(sizes& of, std::size_t first, std::size_t most) {
  of.most = static_cast<std::uint32_t>(std::min(most, of.capacity));
  of.first = static_cast<std::uint32_t>(std::min<std::size_t>(first, of.most));
}

void sender::set_aggregation(std::size_t first, std::size_t most, reach of) {
  bool const near_alone = of == reach::near && net.tells_near();
  std::size_t const limit_of_most = near_alone ? near_.capacity : settings.buffer_bytes;
  if (first < 1 || first > most || most > limit_of_most) {
    throw usage_error("sheaf: set_aggregation(" + std::to_string(first) + ", " + std::to_string(most) +
                      "): needs 1 <= first <= most <= " + std::to_string(limit_of_most) +
                      (near_alone ? " (SHEAF_NEAR_BUFFER_BYTES)" : " (SHEAF_BUFFER_BYTES)"));
  }
  if (of != reach::near) limit(far_, first, most);
  if (of != reach::far) limit(near_, first, most);
  requests_.reset_thresholds();
  answers_.reset_thresholds();
  for (auto const& each : others_requests_) each->reset_thresholds();
}

stream& sender::for_another_thread() {
  if (stream* const free = of_thread(nullptr); free != nullptr) return *free;
  others_requests_.push_back(std::make_unique<stream>(*this, traffic::request));
  sources_.push_back(others_requests_.back().get());
  return *others_requests_.back();
}

stream* sender::of_thread(void const* thread) {
  if (thread != nullptr && requests_.thread == thread) return &requests_;
  auto const at = std::find_if(others_requests_.begin(), others_requests_.end(),
                               [thread](auto const& each) { return each->thread == thread; });
  return at == others_requests_.end() ? nullptr : at->get();
}

run_scope sender::scope_of_thread() {
  admission const inside(here.gate());
  return scopes_used_ ? outside::of(here).requests_of_thread().scope() : run_scope();
}

/// Where no scope is used, threads are not asked for their streams.
run_scope sender::enter_slowly(run_scope next) {
  admission const inside(here.gate());
  if (!gated) return requests_.enter(next);
  if (!scopes_used_ && next == run_scope()) return next;
  scopes_used_ = true;
  return outside::of(here).requests_of_thread().enter(next);
}

std::size_t sender::open_boxes() const {
  std::size_t sum = requests_.open_boxes() + answers_.open_boxes();
  for (auto const& each : others_requests_) sum += each->open_boxes();
  return sum;
}

void sender::add(source& one) {
  admission const inside(here.gate());
  sources_.insert(sources_.begin(), &one);
}

void sender::remove(source& one) {
  admission const inside(here.gate());
  std::erase(sources_, &one);
}

void sender::flush(flush_reason why) {
  admission const inside(here.gate());
  any_open = false;
  // What one appends may add a stream, or execute a request that adds or removes sources.
  for (std::size_t i = 0; i < sources_.size(); ++i) sources_[i]->flush(why);
  any_open = any_open || may_leave();
  if (net.tells_near()) net.flush();
}

void sender::flush_old() {
  if (none_open()) return;
  std::uint64_t const now = net.now();
  if (now - opened_at_ < settings.flush_age_ns) return;
  opened_at_ = now;  // of what stays
  flush(flush_reason::age);
}

bool sender::empty() const {
  return std::all_of(sources_.begin(), sources_.end(), [](source const* each) { return each->empty(); });
}

bool sender::may_leave() const {
  return std::any_of(sources_.begin(), sources_.end(), [](source const* each) { return each->may_leave(); });
}

bool sender::drain() {
  bool any = requests_.drain();
  any = answers_.drain() || any;
  if (!requests_.overflows() && !answers_.overflows()) {
    here.in().done_with(errand::send_overflow);
  }
  return any;
}

/// A source that makes room may need a buffer itself: it gets one, whatever the budget says. Another thread than the
/// location's own asks the streams alone: what a source in front of them appended would lie in that thread's stream.
void sender::make_room(std::size_t bytes, bool may_overflow) {
  if (making_room_ || open_bytes_ + bytes <= share_) return;
  restoring const once(making_room_, true);
  bool const streams_alone = gated && here.by_outsider();
  for (std::size_t in_vain = 0; open_bytes_ + bytes > share_;) {
    std::size_t const all = sources_.size();  // which may change
    std::size_t const asked = streams_alone ? 2 + others_requests_.size() : all;
    if (in_vain >= asked) return;
    source& next = *sources_[all - asked + next_to_release_++ % asked];
    in_vain = next.release(may_overflow) ? 0 : in_vain + 1;
  }
}

void sender::opened(std::size_t bytes) {
  if (none_open() && settings.flush_age_ns != 0) opened_at_ = net.now();
  open_bytes_ += bytes;
  any_open = true;
  if (insight) counts.raise(counts.open_bytes_high, open_bytes_);
}

void sender::count_sent(std::uint32_t dest, run_tag tag, run_scope in, std::uint64_t requests) {
  if (insight) counts.link(dest).created += requests;
  here.registered().count_sent(tag, in, requests);
}

void sender::hold_back(traffic kind, std::size_t bytes) {
  if (kind == traffic::request) held_bytes += bytes;
  here.in().remind(errand::send_overflow);
  if (gated) outside::of(here).nudge();
  if (!insight) return;
  counts.raise(counts.overflow_high, ++counts.overflow_now);
  counts.raise(counts.reserve_high, held_bytes);
}

void sender::let_go(traffic kind, std::uint32_t dest, std::size_t capacity, std::size_t bytes) {
  moved();
  if (kind == traffic::request) held_bytes -= capacity;
  if (!insight) return;
  counts.link(dest).sent(bytes);
  --counts.overflow_now;
}

void sender::moved() { here.in().stir(); }

std::size_t sender::reserve_used() const {
  admission const inside(here.gate());
  return held_bytes;
}

std::size_t sender::reserve_for_others() const {
  outbox const* const own = requests_.used_box(number(here.id()));
  overflow_queue const* const queue = own == nullptr ? nullptr : requests_.overflow_of(*own);
  return reserve_used() - (queue == nullptr ? 0 : queue->bytes);
}

void sender::raise_reserve() {
  do {  // until it helps
    reserve_cap += settings.reserve_bytes;
    ++reserve_raises;
  } while (held_bytes > reserve_cap);
}

}  // namespace sheaf::detail
