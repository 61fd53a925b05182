// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/net_endpoint.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/buffer_budget.hpp"
#include "base/gate.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/side_wire.hpp"

namespace sheaf::net {

net_endpoint::net_endpoint(std::uint32_t lane, host::host_job& host, locality const& near, gateway& gate,
                           detail::side_wire* beside)
    : endpoint(location_id{gate.process() * gate.lanes() + lane}, gate.processes() * gate.lanes(),
               host::ring_slot::inline_capacity, gate.lanes(), near.number_on_host.data()),
      host_(host),
      neighbours_(near),
      gate_(gate),
      lane_(lane),
      mpi_every_(host.settings.mpi_every),
      local_(location_id{host.first() + lane}, host),
      packer_(gate, lane, host.settings.buffer_budget / detail::budget_shares(transport_kind::hybrid, size(), lanes()),
              counts_),
      inbox_(size(), packer_.most()),
      fresh_(gate.inbox(lane)),
      lines_(size()),
      owed_listed_(size(), 0) {
  own_home_ = &local_.home_for(local_.self());
  near_home_ = &local_;
  far_home_ = &packer_.entry_home();
  memory_ = &host.shown();
  side = beside;
}

void net_endpoint::close() noexcept {
  try {
    for (send_parts(); !cut_.empty() && !host_.failed(); send_parts()) {
      packer_.ship_all();
      gate_.progress(lane_);
      pull();
      sched_yield();
    }
    packer_.ship_all();
  } catch (error const&) {  // the job has failed, and nothing needs to arrive any more
  }
  inbox_.clear();
}

buffer net_endpoint::do_acquire(location_id dest, std::size_t bytes) {
  if (near(dest)) return local_.acquire(near_id(dest), bytes);
  return packer_.acquire(std::max<std::size_t>(bytes, 1));
}

net_endpoint::far_line& net_endpoint::line_to(location_id dest, traffic kind) {
  auto& lines = lines_[number(dest)];
  if (lines == nullptr) lines = std::make_unique<far_line[]>(traffic_classes);
  return lines[static_cast<std::size_t>(kind)];
}

bool net_endpoint::has_credit(far_line& line, bool buffer_too) {
  auto const takes = [&] { return !line.cut && line.left.any(gate_.sizes(), buffer_too); };
  if (takes()) [[likely]]
    return true;
  pull();
  send_parts();
  return takes();
}

/// Goes on with entries that leave in parts, as far as there is credit.
void net_endpoint::send_parts() {
  for (std::size_t n = cut_.size(); n != 0; --n) {
    pair const to = cut_.pop();
    far_line& line = line_to(to.dest, to.kind);
    slice s = slice_to(to.dest, static_cast<slice_kind>(to.kind), true, 0);
    s.is_part = true;
    while (line.cut && line.left.any(gate_.sizes(), true)) {
      std::uint64_t const total = line.cut.size();
      std::size_t const front = line.offset == 0 ? slice::size_prefix : 0;
      std::size_t const bytes = std::min(packer_.most() - front, line.cut.size() - line.offset);
      buffer part = packer_.acquire(front + bytes);
      std::memcpy(part.data(), &total, front);
      std::memcpy(part.data() + front, line.cut.data() + line.offset, bytes);
      part.set_size(front + bytes);
      line.left.charge(true);
      s.bytes = static_cast<std::uint32_t>(part.size());
      packer_.add(process_of(to.dest), s, std::move(part));
      ++counts_.parts;
      line.offset += bytes;
      if (line.offset == total) line.cut = {}, line.offset = 0;
    }
    packer_.ship(process_of(to.dest));
    if (line.cut) cut_.push(to);
  }
  counts_.in_parts = cut_.size();
}

// Where all is near, these four are all that stands between a location and its rings: the ways to others are functions
// of their own, whose registers are not saved for nothing.

bool net_endpoint::do_send(location_id dest, traffic kind, buffer& b) {
  return near(dest) ? local_.do_send(near_id(dest), kind, b) : send_far(dest, kind, b);
}
bool net_endpoint::do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) {
  return near(dest) ? local_.do_send_inline(near_id(dest), kind, entry) : send_far_inline(dest, kind, entry);
}
bool net_endpoint::do_receive(wanted which, arrival& out) {
  return neighbours_.all_near ? receive_near(which, out) : receive_any(which, out);
}
void net_endpoint::do_consumed(location_id source, traffic kind, buffer* keep) {
  if (near(source) && keep == nullptr) return local_.do_consumed(near_id(source), kind, nullptr);
  near(source) ? keep_near(source, kind, *keep) : consumed_far(source, kind, keep);
}

[[gnu::noinline]] bool net_endpoint::send_far(location_id dest, traffic kind, buffer& b) {
  far_line& line = line_to(dest, kind);
  if (!has_credit(line, true)) return false;
  if (b.size() > packer_.most()) {
    line.cut = std::move(b);
    cut_.push({dest, kind});
    send_parts();
    return true;
  }
  std::uint32_t const process = process_of(dest);
  slice const s = slice_to(dest, static_cast<slice_kind>(kind), true, b.size());
  if (packer_.goes_alone(s.bytes) && owes_much(dest)) acknowledge_behind(dest, b);
  packer_.add(process, s, std::move(b));
  line.left.charge(true);
  if (!packer_.empty(process) && owes_much(dest)) acknowledge(dest);
  if (kind == traffic::answer && !gathers) packer_.ship(process);  // its location may compute for long now
  return true;
}

[[gnu::noinline]] bool net_endpoint::send_far_inline(location_id dest, traffic kind, std::span<std::byte const> entry) {
  far_line& line = line_to(dest, kind);
  if (!has_credit(line, false)) return false;
  packer_.add(process_of(dest), slice_to(dest, static_cast<slice_kind>(kind), false, entry.size()), entry);
  line.left.charge(false);
  if (owes_much(dest)) acknowledge(dest);
  if (!gathers) packer_.ship(process_of(dest));
  return true;
}

std::uint32_t net_endpoint::do_backlog(location_id dest, traffic kind) {
  if (near(dest)) return local_.backlog(near_id(dest), kind);
  pull();
  return lines_[number(dest)] == nullptr ? 0 : line_to(dest, kind).left.backlog();
}

void net_endpoint::pull() {
  for (; parcel* const p = fresh_.front(); fresh_.pop()) {
    if (p->kind == slice_kind::credit) {
      settle(*p);
    } else {
      meet(static_cast<traffic>(p->kind));
      inbox_.add(std::move(*p));
    }
  }
}

void net_endpoint::settle(parcel const& p) {
  std::uint32_t news[traffic_classes] = {};
  std::memcpy(news, p.small, p.bytes);
  for (std::size_t k = 0; k < traffic_classes; ++k) {
    bool const good = line_to(p.source, static_cast<traffic>(k)).left.settle(news[k]);
    if (!good) fail_damaged(p.source, "packet", "it acknowledges what was not sent");
  }
}

void net_endpoint::fail_damaged(location_id source, char const* thing, char const* what) {
  std::string const why = "location " + std::to_string(number(self())) + " received a damaged " + thing +
                          " from location " + std::to_string(number(source)) + ": " + what;
  do_fail(why);
  throw job_aborted(why);
}

bool net_endpoint::receive_near(wanted which, arrival& out) try {
  if (!local_.do_receive(which, out)) return false;
  was_far_ = false;
  out.source = neighbours_.on_host[number(out.source)];
  return true;
} catch (host::damaged_entry const& by) {
  fail_damaged(neighbours_.on_host[number(by.source)], "entry", by.what);
}

bool net_endpoint::receive_far(std::span<traffic const> classes, arrival& out) {
  for (traffic const kind : classes) {
    while (inbox_.has(kind)) {
      arrival next;  // `out` stays as it is where nothing arrives
      auto const found = inbox_.deliver(kind, next);
      if (found == remote_inbox::found::entry) return out = next, was_far_ = true;
      if (found == remote_inbox::found::damaged) fail_damaged(next.source, "packet", "a part does not fit its entry");
      ++counts_.parts;
      do_consumed(next.source, kind, nullptr);
    }
  }
  return false;
}

[[gnu::noinline]] bool net_endpoint::receive_any(wanted which, arrival& out) {
  bool const expects_far = std::exchange(at_leisure, false) && was_far_;
  if (++looks_ >= mpi_every_ || (expects_far && gate_.turns() == turns_seen_)) {  // as in do_idle
    looks_ = 0;
    gate_.progress(lane_);
  }
  if (expects_far) turns_seen_ = gate_.turns();
  look_aside();  // which costs a tenth of that
  pull();
  if (!cut_.empty()) [[unlikely]]
    send_parts();
  if (receive_far(looked_for(wanted::answers), out)) return true;
  far_first_ = !far_first_;
  if (far_first_ && (receive_near(wanted::answers, out) || receive_far(looked_for(which), out))) return true;
  if (receive_near(which, out) || receive_far(looked_for(which), out)) return true;
  if (!packer_.empty()) packer_.ship_all();
  return false;
}

[[gnu::noinline]] void net_endpoint::keep_near(location_id source, traffic kind, buffer& to) try {
  to = local_.keep(near_id(source), kind);
} catch (host::damaged_entry const& by) {
  fail_damaged(source, "entry", by.what);
}

[[gnu::noinline]] void net_endpoint::consumed_far(location_id source, traffic kind, buffer* keep) {
  std::uint32_t const from = number(source);
  buffer block = inbox_.consumed(from, kind);
  if (keep != nullptr) *keep = std::move(block);
  if (inbox_.owed_to(from, kind).due(gate_.sizes(), 2)) {
    acknowledge(source);
    packer_.ship(process_of(source));
  } else if (std::exchange(owed_listed_[from], std::uint8_t{1}) == 0) {
    owed_.push(from);
  }
}

/// Whether a good part of a location's credit is owed to it: then it is told with what goes there anyway.
bool net_endpoint::owes_much(location_id source) {
  if (!inbox_.knows(number(source))) return false;
  return std::ranges::any_of(classes_of(wanted::all),
                             [&](traffic kind) { return inbox_.owed_to(number(source), kind).due(gate_.sizes(), 4); });
}

/// What is owed to a location, which is told now: its bytes, up to the last class in which something is; 0: nothing is.
std::size_t net_endpoint::pay(location_id source, debt_counts& news) {
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < traffic_classes; ++k) {
    news[k] = inbox_.owed_to(number(source), static_cast<traffic>(k)).pay();
    if (news[k] != 0) bytes = (k + 1) * sizeof news[k];
  }
  return bytes;
}

void net_endpoint::acknowledge(location_id source) {
  debt_counts news;
  std::size_t const bytes = pay(source, news);
  if (bytes == 0) return;
  packer_.add(process_of(source), slice_to(source, slice_kind::credit, false, bytes),
              std::as_bytes(std::span(news)).first(bytes));
}

/// Puts what is owed to a location behind an entry that will be a packet of its own, where that has room for it.
void net_endpoint::acknowledge_behind(location_id source, buffer& entry) {
  debt_counts news;
  if (entry.size() + acknowledgement_bytes > std::min(entry.capacity(), packer_.most())) return;
  std::size_t const bytes = pay(source, news);
  if (bytes == 0) return;
  std::byte* const at = entry.data() + entry.size();
  slice_to(source, slice_kind::credit, false, bytes).write(at);
  std::memcpy(at + slice::header_bytes, news, bytes);
  entry.set_size(entry.size() + slice::header_bytes + bytes);
}

void net_endpoint::pay_all() {
  while (!owed_.empty()) {
    std::uint32_t const source = owed_.pop();
    owed_listed_[source] = 0;
    acknowledge(location_id{source});
  }
}

void net_endpoint::do_idle(std::uint32_t round, std::uint64_t deadline_ns) {
  constexpr std::uint32_t tidy_every = 16;
  at_leisure = true;
  host_.check();
  if (neighbours_.all_near && side == nullptr) {  // nothing comes from outside
    local_.share(endpoint::gate_);
    local_.idle(round, deadline_ns);
    counts_.sleeps = local_.counts().sleeps;
    return;
  }
  if (round % tidy_every == tidy_every - 1) pay_all();
  if (!packer_.empty()) packer_.ship_all();
  unsigned const spins = host_.settings.spin_polls, yields = host_.settings.yield_polls;
  if (round < spins) return;
  look_aside();
  if (gate_.turns() == turns_seen_) gate_.progress(lane_);  // else another location looks at MPI, which is enough
  turns_seen_ = gate_.turns();
  if (something_new() || news_beside(host::sleeper::owner)) return;
  if (deadline_ns != 0 && now() >= deadline_ns) return;
  std::uint32_t const quiet = quiet_rounds(round);
  if (quiet < spins) return;
  if (quiet - spins < yields && yielding_.pays()) {
    detail::gate_break const outside(endpoint::gate_);
    yielding_.yield();
  } else {
    sleep(std::max(quiet - spins, yields) - yields, deadline_ns);
  }
  host_.check();
}

/// Costs a call of the system, so a process that nobody asks for its memory does not.
void net_endpoint::look_aside() {
  if (side != nullptr && side->is_used()) [[unlikely]]
    side->progress();
}

/// Whether something has come by the side wire since this was asked before: then the caller looks before it sleeps.
bool net_endpoint::news_beside(host::sleeper who) {
  if (side == nullptr) return false;
  std::uint64_t const now = side->news();
  return std::exchange(news_seen_[who == host::sleeper::owner ? 0 : 1], now) != now;
}

/// How many rounds have passed without a packet: a location does not sleep while packets still move.
std::uint32_t net_endpoint::quiet_rounds(std::uint32_t round) {
  std::uint32_t const packets = gate_.packets_moved();
  if (std::exchange(packets_seen_, packets) != packets) moved_at_ = round;
  moved_at_ = std::min(moved_at_, round);
  return round - moved_at_;
}

/// Packets ring no bell: each sleeper looks at MPI when its time is up, and rings those that it has something for.
void net_endpoint::sleep(std::uint32_t round, std::uint64_t deadline_ns, host::sleeper who) {
  constexpr std::uint64_t shortest_ns = 20'000;
  constexpr std::uint64_t longest_ns = 1'000'000;
  std::uint64_t until = now() + std::min(shortest_ns << std::min(round / 4, 10u), longest_ns);
  if (deadline_ns != 0) until = std::min(until, deadline_ns);
  local_.share(endpoint::gate_);
  if (side != nullptr) side->rests();
  local_.sleep(until, who, [&] { return fresh_.front() != nullptr || gate_.has_posts_for(lane_) || news_beside(who); });
  counts_.sleeps = local_.counts().sleeps;
}

void net_endpoint::do_outside(outside_call what, std::uint64_t deadline_ns) {
  if (what == outside_call::wake) return host_.bell(lane_).ring();
  if (what == outside_call::check) return local_.attend(at_once);
  host_.check();
  if (neighbours_.all_near && side == nullptr) {
    local_.share(endpoint::gate_);
    return local_.attend(deadline_ns);
  }
  pay_all();
  if (!packer_.empty()) packer_.ship_all();
  gate_.progress(lane_);
  attended_ = something_new() || news_beside(host::sleeper::outsider) ? 0 : attended_ + 1;
  if (attended_ != 0) sleep(attended_, deadline_ns, host::sleeper::outsider);
}

void net_endpoint::do_fail(std::string_view reason) noexcept {
  host_.fail(self(), reason);
  gate_.abort(self(), reason);
}

void net_endpoint::do_with_mpi(void (*f)(void*), void* context) {
  if (!gate_.may_own(lane_)) {
    throw usage_error("sheaf: with_mpi on location " + std::to_string(number(self())) +
                      ": the MPI library lets only the first thread of a process call it (MPI_THREAD_FUNNELED); call "
                      "it on location " +
                      std::to_string(number(self()) - lane_) +
                      ", or start MPI with MPI_Init_thread and MPI_THREAD_SERIALIZED");
  }
  detail::admission const inside(endpoint::gate_);  // threads of this location, one at a time
  gate_.alone(lane_, f, context);
}

}  // namespace sheaf::net
