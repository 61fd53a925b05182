// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/host_endpoint.hpp"

#include <sched.h>

#include <algorithm>
#include <cassert>
#include <chrono>

#include "base/buffer_budget.hpp"

namespace sheaf::host {
namespace {

/// Empty polls before the core is told to save power: a reply that is on its way comes within these.
constexpr std::uint32_t eager_rounds = 256;

constexpr std::size_t class_of(traffic kind) noexcept { return static_cast<std::size_t>(kind); }

void pause_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

host_endpoint::host_endpoint(location_id self, host_job& job)
    : endpoint(self, job.size(), ring_slot::inline_capacity),
      job_(job),
      box_(job.box(number(self))),
      spin_rounds_(job.settings.spin_polls),
      yield_rounds_(job.settings.yield_polls),
      in_(traffic_classes, inbox(size())),
      share_(job.settings.buffer_budget /
             detail::budget_shares(job.settings.transport, size(), job.settings.locations)),
      pool_(job.settings.buffer_bytes, job.shown()),
      own_pool_(job.settings.buffer_bytes, job.shown()) {
  for (auto& by_class : lines_) by_class.resize(size());
  memory_ = &job.shown();
}

/// Blocks still in flight (of a job that failed) go back to the pool, which frees them.
host_endpoint::~host_endpoint() {
  lent.end_all();  // which may be blocks of its own
  for (ring_sender* const line : made_) line->abandon();
}

ring_sender& host_endpoint::make_line(location_id dest, traffic kind) {
  options const& o = job_.settings;
  auto& line = lines_[class_of(kind)][number(dest)];
  made_.reserve(made_.size() + 1);
  line = std::make_unique<ring_sender>(self(), kind, o.ring_slots, o.window, box_.bell, pool_for(dest),
                                       in_flight_[class_of(kind)], job_.shown());
  made_.push_back(line.get());
  ring& made = line->shared();
  std::atomic<ring*>& fresh = job_.box(number(dest)).fresh;
  made.next_fresh = fresh.load(std::memory_order_relaxed);
  while (!fresh.compare_exchange_weak(made.next_fresh, &made, std::memory_order_seq_cst)) {
  }
  return *line;
}

// ---- Sending ---------------------------------------------------------------------------------------------------

buffer host_endpoint::do_acquire(location_id dest, std::size_t bytes) {
  reclaim(dest);  // large blocks that are consumed are freed
  block_pool& pool = pool_for(dest);
  if (pool.empty() && bytes <= pool.largest()) reclaim_all();
  std::span<std::byte> const block = pool.take(bytes);
  return {this, block.data(), block.size()};
}

void host_endpoint::reclaim(location_id dest) noexcept {
  for (auto const& by_class : lines_) {
    ring_sender* const line = by_class[number(dest)].get();
    if (line != nullptr && line->any_out()) line->refresh();
  }
}

void host_endpoint::reclaim_all() noexcept {
  for (ring_sender* const line : made_) {
    if (line->any_out()) line->refresh();
  }
}

bool host_endpoint::refuse(ring_sender& line) {
  line.refuse();
  if (!line.listed) {
    refused_.push_back(&line);
    line.listed = true;
  }
  return false;
}

/// Requests in flight beyond the location's share of the budget leave each pair one buffer: what a receiver does not
/// consume then holds up nobody but its own pair, as with a window of one.
bool host_endpoint::has_room(ring_sender const& line, traffic kind) const noexcept {
  bool const in_share = kind == traffic::answer || in_flight_[class_of(kind)] < share_;
  return line.has_window() && (in_share || line.flights() == 0);
}

bool host_endpoint::do_send(location_id dest, traffic kind, buffer& b) {
  assert(b.size() != 0 && b.size() <= b.capacity());
  ring_sender& line = line_to(dest, kind);
  if (!has_room(line, kind)) {
    line.has_window() ? reclaim_all() : line.refresh();
    if (!has_room(line, kind)) return refuse(line);
  }
  std::size_t const bytes = b.size();
  std::size_t const capacity = b.capacity();
  line.put_block({b.release(), bytes}, capacity);
  job_.box(number(dest)).bell.ring();
  return true;
}

bool host_endpoint::do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) {
  assert(!entry.empty() && entry.size() <= inline_capacity());
  ring_sender& line = line_to(dest, kind);
  if (!line.has_slot()) {
    line.refresh();
    if (!line.has_slot()) return refuse(line);
  }
  line.put_inline(entry);
  job_.box(number(dest)).bell.ring();
  return true;
}

std::uint32_t host_endpoint::do_backlog(location_id dest, traffic kind) {
  ring_sender* const line = lines_[class_of(kind)][number(dest)].get();
  if (line == nullptr || line->backlog() == 0) return 0;
  line->refresh();
  return line->backlog();
}

// ---- Receiving -------------------------------------------------------------------------------------------------

void host_endpoint::meet_fresh_rings() {
  ring* next = box_.fresh.exchange(nullptr, std::memory_order_acquire);
  while (next != nullptr) {
    in_[class_of(next->kind)].add(*next, job_.memory_of(next->source));
    next = next->next_fresh;
  }
}

bool host_endpoint::do_receive(wanted which, arrival& out) {
  last_wanted_ = which;
  if (box_.fresh.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
    meet_fresh_rings();
  auto const classes = classes_of(which);
  return std::any_of(classes.begin(), classes.end(), [&](traffic kind) { return in_[class_of(kind)].poll(out); });
}

void host_endpoint::do_consumed(location_id source, traffic kind, buffer* keep) {
  in_[class_of(kind)].consumed(source, keep);
}

// ---- Waiting ---------------------------------------------------------------------------------------------------

/// Whether a ring that refused a send has consumed an entry since. Forgets the rings of which this is true.
bool host_endpoint::credit_came() noexcept {
  bool came = false;
  for (std::size_t i = 0; i < refused_.size();) {
    if (!refused_[i]->credit_came()) {
      ++i;
      continue;
    }
    came = true;
    refused_[i]->listed = false;
    refused_[i] = refused_.back();
    refused_.pop_back();
  }
  return came;
}

bool host_endpoint::changed() {
  if (job_.failed()) return true;
  if (box_.fresh.load(std::memory_order_seq_cst) != nullptr) meet_fresh_rings();
  if (credit_came()) return true;
  auto const classes = classes_of(last_wanted_);
  return std::any_of(classes.begin(), classes.end(), [&](traffic kind) { return in_[class_of(kind)].any_ready(); });
}

void host_endpoint::do_idle(std::uint32_t round, std::uint64_t deadline_ns) {
  job_.check();
  if (round < spin_rounds_) {
    if (round >= eager_rounds) pause_core();
    return;
  }
  if (changed()) return;
  if (deadline_ns != 0 && do_now() >= deadline_ns) return;
  if (round - spin_rounds_ < yield_rounds_) {
    detail::gate_break const outside(gate_);
    sched_yield();
  } else {
    sleep(deadline_ns, [] { return false; });
  }
  job_.check();
}

void host_endpoint::do_outside(outside_call what, std::uint64_t deadline_ns) {
  if (what == outside_call::wake) return box_.bell.ring();
  job_.check();
  last_wanted_ = wanted::all;
  sleep(
      deadline_ns, [] { return false; }, sleeper::outsider);
}

std::uint64_t host_endpoint::do_now() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

void host_endpoint::do_fail(std::string_view reason) noexcept { job_.fail(self(), reason); }

}  // namespace sheaf::host
