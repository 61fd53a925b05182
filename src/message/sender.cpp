// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/sender.hpp"

#include "base/buffer_budget.hpp"
#include "base/call_text.hpp"
#include "base/insight.hpp"
#include "message/outside.hpp"
#include "message/put_marks.hpp"
#include "message/router.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

void throw_too_deep(run_scope scope, call_site from) {
  throw usage_error("sheaf: a handler in an epoch of team " + std::to_string(scope.team()) +
                    " sends deeper than the epoch has declared; ask for a larger nesting depth, or for a detector of "
                    "any depth" +
                    called_at(from));
}

/// By half; from 4 KiB, up to which message-passing libraries send at once, to 8 KiB, which is worth their handshake;
/// then slowly, so that a burst of some hundred KiB still overlaps with its execution.
std::uint32_t grown(std::uint32_t threshold) {
  constexpr std::uint32_t eager = 4096;
  if (threshold < eager) return threshold + threshold / 2;
  return threshold < 2 * eager ? 2 * threshold : threshold + threshold / 8;
}

sender::sender(location& owner)
    : here(owner),
      net(owner.connection()),
      settings(owner.settings()),
      routes(*new router(*this)),
      age_ns(settings.flush_age_ns),
      held(settings.reserve_bytes),
      own_{stream(*this, {traffic::request}), stream(*this, {traffic::answer})} {
  std::reverse(streams_.begin(), streams_.end());  // answers before requests
  std::reverse(asked_.begin(), asked_.end());
  sizes.far.capacity = far_buffer_bytes(settings, net.lanes());
  limit(sizes.far, settings.first_flush_bytes, sizes.far.capacity);
  sizes.near.capacity = settings.near_buffer_bytes != 0 ? settings.near_buffer_bytes : settings.buffer_bytes;
  bool const set_apart = settings.near_first_flush_bytes != 0;
  limit(sizes.near, set_apart ? settings.near_first_flush_bytes : settings.first_flush_bytes, sizes.near.capacity);
  share_ = settings.buffer_budget / budget_shares(settings.transport, net.size(), net.lanes());
}

sender::~sender() {
  for (source* const each : asked_) each->job_ends();
  streams_.clear();
  delete &routes;
}

stream& sender::of_route(traffic kind) {
  auto& its = of_routes_[static_cast<std::size_t>(kind) - own_.size()];
  if (its == nullptr) its = std::make_unique<stream>(*this, stream_plan{kind});
  return *its;
}

void sender::limit(buffer_sizes& of, std::size_t first, std::size_t most) {
  of.most = static_cast<std::uint32_t>(std::min(most, of.capacity));
  of.first = static_cast<std::uint32_t>(std::min<std::size_t>(first, of.most));
}

void sender::check_sizes(buffer_sizes const& of) {
  if (1 <= of.first && of.first <= of.most && of.most <= of.capacity) return;
  throw usage_error("sheaf: a stream with buffers of " + std::to_string(of.capacity) +
                    " bytes that are flushed at first at " + std::to_string(of.first) + ", at most at " +
                    std::to_string(of.most) + ": needs 1 <= first <= most <= capacity, near and far");
}

void sender::set_aggregation(std::size_t first, std::size_t most, reach of, call_site where) {
  bool const near_alone = of == reach::near && net.tells_near();
  std::size_t const limit_of_most = near_alone ? sizes.near.capacity : settings.buffer_bytes;
  if (first < 1 || first > most || most > limit_of_most) {
    throw usage_error("sheaf: set_aggregation(" + std::to_string(first) + ", " + std::to_string(most) +
                      "): needs 1 <= first <= most <= " + std::to_string(limit_of_most) +
                      (near_alone ? " (options::near_buffer_bytes)" : " (SHEAF_BUFFER_BYTES)") + called_at(where));
  }
  if (of != reach::near) limit(sizes.far, first, most);
  if (of != reach::far) limit(sizes.near, first, most);
  for (stream const* const each : streams_)
    each->each_box([each](outbox& box) { box.threshold = each->sizes_for(box.dest).first; });
}

void sender::add(source& one) {
  admission const inside(here.gate());
  asked_.insert(asked_.begin(), &one);
}

void sender::remove(source& one) {
  admission const inside(here.gate());
  std::erase(asked_, &one);
}

void sender::join(stream& one) {
  admission const inside(here.gate());
  streams_.push_back(&one);
  asked_.push_back(&one);
}

void sender::leave(stream& one) {
  if (streams_.empty()) return;  // the location ends
  admission const inside(here.gate());
  one.flush(flush_reason::asked);
  std::erase(streams_, &one);
  std::erase(asked_, &one);
}

stream& sender::make_stream(stream_plan const& plan) {
  admission const inside(here.gate());
  return *made_.emplace_back(std::make_unique<stream>(*this, plan));
}

void sender::end_stream(stream& one) {
  admission const inside(here.gate());
  std::erase_if(made_, [&](auto const& each) { return each.get() == &one; });
}

run_scope sender::scope_of_thread() {
  return scopes_used_.load(std::memory_order_relaxed) ? requests_by_thread->of_caller().scope() : run_scope();
}

/// Where no scope is used, threads are not asked for their streams.
run_scope sender::enter_slowly(run_scope next) {
  admission const inside(here.gate());
  if (gated) {
    if (!scopes_used_ && next == run_scope()) return next;
    scopes_used_ = true;
    run_scope const before = requests_by_thread->of_caller().scope();
    if (next != before) enter_all_of(here.gate()->me(), next);
    return before;
  }
  ++scope_changes;
  run_scope const before = of(traffic::request).scope();
  for (stream* const each : streams_) {
    if (each == &own_[0] || (each->kind() == traffic::request && each->open_boxes() != 0)) each->enter(next);
  }
  return before;
}

void sender::enter_all_of(void const* thread, run_scope next) {
  for (stream* const each : streams_) {
    if (each->thread.load(std::memory_order_relaxed) == thread) each->enter(next);
  }
}

void sender::part_from(void const* thread) {
  enter_all_of(thread, {});
  for (stream* const each : streams_) {
    if (each->thread == thread) each->thread = nullptr;
  }
  for (source* const each : asked_) each->part_from(thread);
}

std::size_t sender::open_boxes() const {
  std::size_t sum = 0;
  for (stream const* const each : streams_) sum += each->open_boxes();
  return sum;
}

void sender::begins_to_hold() {
  admission const inside(here.gate());
  any_open = true;
  bool const age_counts = age_ns != 0;
  if ((!gated && !age_counts) || ages()) return;
  if (age_counts) held_since_ = net.now();
  ages_ = true;
  if (gated) outside::of(here).nudge();
}

void sender::flush(flush_reason why) {
  admission const inside(here.gate());
  any_open = false;
  // What a source appends may wait for credit, and that wait flushes: streams alone, else such waits nest.
  bool const nested = flushing_sources_ != 0 && (why == flush_reason::credit || why == flush_reason::age);
  std::size_t const first = nested ? asked_.size() - streams_.size() : 0;
  ++flushing_sources_;  // threads leave here in any order
  at_end const flushed{[this] { --flushing_sources_; }};
  // What one appends may add a stream, or execute a request that adds or removes sources.
  routes.begin_turn();
  for (std::size_t i = first; i < asked_.size(); ++i) asked_[i]->flush(why);
  routes.end_turn();
  any_open = any_open || may_leave() || routes.quiet_at() != 0;  // of a route, some leave when it is quiet
  if (net.tells_near()) net.flush();
}

void sender::age_at_most(std::uint64_t ns) {
  admission const inside(here.gate());
  age_ns = age_ns == 0 ? ns : std::min(age_ns, ns);
  here.careful_ = true;
}

std::span<source* const> sender::asked_for_idle() const {
  std::span<source* const> const all = asked_;
  return flushing_sources_ != 0 ? all.last(streams_.size()) : all;
}

/// Of buffers that wait for more to pass on, too.
bool sender::ages() const {
  auto const ages_now = [](source const* each) { return !each->is_owners_alone() && each->may_leave(); };
  return routes.quiet_at() != 0 || std::ranges::any_of(asked_for_idle(), ages_now);
}

bool sender::flush_old() {
  if (!ages()) return ages_ = false;
  std::uint64_t const now = net.now();
  if (!std::exchange(ages_, true)) held_since_ = now;
  if (now - held_since_ < age_ns) return false;
  held_since_ = now;  // of what stays
  flush(flush_reason::age);
  return empty();
}

std::uint64_t sender::flush_due() const { return age_ns != 0 && ages() ? held_since_ + age_ns : 0; }

bool sender::empty() const {
  return std::all_of(asked_.begin(), asked_.end(), [](source const* each) { return each->empty(); });
}

bool sender::may_leave() const {
  return std::ranges::any_of(asked_for_idle(), [](source const* each) { return each->may_leave(); });
}

bool sender::drain() {
  bool any = false, all = true;
  for (stream* const each : streams_) {
    any = each->drain() || any;
    all = all && !each->overflows();
  }
  if (all) here.in().done_with(errand::send_overflow);
  any_open = any_open || any;  // what stayed open behind that may leave
  if (any && gated && routes.any_waits()) outside::of(here).nudge();
  return any;
}

/// What is kept of arrivals counts. A source that makes room may need a buffer itself: it gets one in any case. An
/// outsider asks the streams alone: what a source appended would lie in that thread's stream.
void sender::make_room(std::size_t bytes, bool may_overflow) {
  std::size_t const kept = kept_arrivals.load(std::memory_order_relaxed) + std::min(table_bytes_, share_ / 2);
  if (making_room_ || kept + open_bytes_ + bytes <= share_) return;
  restoring const once(making_room_, true);
  bool const streams_alone = gated && here.by_outsider();
  for (std::size_t in_vain = 0; kept + open_bytes_ + bytes > share_;) {
    std::size_t const count = streams_alone ? streams_.size() : asked_.size();  // which may change
    if (in_vain >= count) return;
    source& next = **(asked_.end() - static_cast<std::ptrdiff_t>(count - next_to_release_++ % count));
    in_vain = next.release(may_overflow) ? 0 : in_vain + 1;
  }
}

void sender::opened(std::size_t bytes) {
  begins_to_hold();
  open_bytes_ += bytes;
  if (insight) counts.raise(counts.most.open_bytes, open_bytes_);
}

void sender::count_sent(std::uint32_t dest, run_tag tag, run_scope in, std::uint64_t requests) {
  if (insight) counts.link(dest).created += requests;
  here.registered().count_sent(dest, tag, in, requests);
}

void sender::hold_back(traffic kind, std::size_t bytes) {
  held.add(kind, bytes);
  here.in().remind(errand::send_overflow);
  if (gated) outside::of(here).nudge();
  if (!insight) return;
  counts.raise(counts.most.overflow_buffers, ++counts.overflow_now);
  counts.raise(counts.most.reserve_bytes, held.requests());
}

void sender::let_go(traffic kind, std::uint32_t dest, std::size_t capacity, std::size_t bytes) {
  here.in().stir();
  held.take(kind, capacity);
  if (!insight) return;
  counts.link(dest).sent(bytes);
  --counts.overflow_now;
}

std::size_t sender::reserve_used() const {
  admission const inside(here.gate());
  return held.requests();
}

std::size_t sender::reserve_for_others() const {
  std::size_t to_itself = 0;
  for (stream const& each : own_) {  // there is no route to itself
    outbox const* const box = each.used_box(number(here.id()));
    overflow_queue const* const queue = box == nullptr || !is_request(each.kind()) ? nullptr : each.overflow_of(*box);
    to_itself += queue == nullptr ? 0 : queue->bytes;
  }
  return reserve_used() - to_itself;
}

std::size_t reserve::excess() const {
  if (requests_ > cap) return requests_;
  return answers() > cap ? answers() : 0;
}

void reserve::raise() {
  do {
    cap += step_;
    ++raises;
  } while (is_over());
}

}  // namespace sheaf::detail
