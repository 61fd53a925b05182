// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/heartbeat/pulse.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sheaf::heartbeat {

std::uint64_t pulse::period_for(std::uint64_t limit_ns) noexcept {
  constexpr std::uint64_t second = 1'000'000'000;
  return std::min(limit_ns / 5, second);
}

pulse::pulse(std::uint32_t self, std::uint32_t size, std::uint64_t key, std::uint64_t limit_ns, std::uint64_t now)
    : self_(self),
      size_(size),
      key_(key),
      limit_ns_(limit_ns),
      period_ns_(period_for(limit_ns)),
      next_beat_ns_(now),
      last_tick_ns_(now) {
  for (std::uint32_t const process : {(self + 1) % size, (self + size - 1) % size}) {
    if (process == self || find(process) != nullptr) continue;
    neighbour n;
    n.process = process;
    n.heard_ns = now;
    neighbours_.push_back(std::move(n));
  }
}

pulse::neighbour* pulse::find(std::uint32_t process) noexcept {
  auto const at = std::find_if(neighbours_.begin(), neighbours_.end(),
                               [&](neighbour const& each) { return each.process == process; });
  return at == neighbours_.end() ? nullptr : &*at;
}

// ---- What comes --------------------------------------------------------------------------------------------------

void pulse::received(std::uint64_t now, address from, std::span<std::byte const> bytes) {
  std::optional<datagram> const d = read(bytes, key_, self_, size_);
  if (!d) return;
  if (d->kind == datagram_kind::end) {
    if (!found_) found_ = finding{d->about, d->why, 0, d->from};
    return;
  }
  neighbour* const sender = find(d->from);
  if (sender == nullptr || d->sequence <= sender->sequence) return;  // one that was late says nothing new
  hear(*sender, now, from, d->sequence);
  if (d->kind == datagram_kind::goodbye) sender->left = true;
}

void pulse::hear(neighbour& from, std::uint64_t now, address place, std::uint64_t sequence) {
  constexpr std::size_t most_places = 8;
  from.sequence = sequence;
  from.heard_ns = now;
  from.refusals = 0;
  from.refused = false;
  bool const known = std::find(from.places.begin(), from.places.end(), place) != from.places.end();
  if (!known && from.places.size() < most_places) from.places.push_back(place);
}

void pulse::refused(address to) {
  for (neighbour& each : neighbours_) {
    each.refused = each.refused || std::find(each.places.begin(), each.places.end(), to) != each.places.end();
  }
}

// ---- What goes ---------------------------------------------------------------------------------------------------

void pulse::send(std::uint32_t to, datagram_kind kind, courier& out) {
  datagram d;
  d.kind = kind;
  d.from = self_;
  d.to = to;
  d.key = key_;
  d.sequence = ++sequence_;
  d.about = found_ ? found_->about : self_;
  d.why = found_ ? found_->why : loss::silent;
  std::array<std::byte, datagram::bytes> bytes{};
  d.write(bytes);
  out.send(to, bytes);
}

void pulse::say_goodbye(courier& out) {
  for (neighbour const& each : neighbours_) send(each.process, datagram_kind::goodbye, out);
}

void pulse::tell_all(courier& out) {
  for (std::uint32_t process = 0; process < size_; ++process) {
    if (process != self_) send(process, datagram_kind::end, out);
  }
}

void pulse::beat(neighbour& to, courier& out) {
  to.refusals += to.refused ? 1 : 0;
  to.refused = false;
  if (!to.left) send(to.process, datagram_kind::beat, out);
}

// ---- Judging -----------------------------------------------------------------------------------------------------

std::uint64_t pulse::tick(std::uint64_t now, courier& out) {
  discount_own_sleep(now);
  if (now >= next_beat_ns_) {
    for (neighbour& each : neighbours_) beat(each, out);
    next_beat_ns_ = now + period_ns_;
  }
  std::uint64_t next = next_beat_ns_;
  for (neighbour const& each : neighbours_) {
    judge(each, now);
    if (!each.left && each.sequence != 0) next = std::min(next, each.heard_ns + limit_ns_);
  }
  return std::max(next, now + 1);
}

/// While this process itself stood still, it heard nobody, whoever was there to be heard.
void pulse::discount_own_sleep(std::uint64_t now) {
  std::uint64_t const gap = now - std::exchange(last_tick_ns_, now);
  if (gap < limit_ns_ / 2) return;
  for (neighbour& each : neighbours_) each.heard_ns = std::min(now, each.heard_ns + gap);
}

void pulse::judge(neighbour const& each, std::uint64_t now) {
  constexpr std::uint32_t enough_refusals = 2;  // after one the launcher may be at work already
  if (found_ || each.left || each.sequence == 0) return;
  bool const is_refused = each.refusals != 0 || each.refused;
  if (finishing_ && is_refused) return;  // it has left, and its goodbye is lost
  std::uint64_t const silent = now - each.heard_ns;
  if (each.refusals >= enough_refusals) {
    found_ = finding{each.process, loss::gone, silent, self_};
  } else if (silent >= limit_ns_) {
    found_ = finding{each.process, loss::silent, silent, self_};
  }
}

std::optional<std::uint32_t> pulse::never_heard(std::uint64_t now) {
  for (neighbour& each : neighbours_) {
    bool const due = each.sequence == 0 && !each.left && !finishing_ && now - each.heard_ns >= limit_ns_;
    if (due && !std::exchange(each.reported, true)) return each.process;
  }
  return {};
}

}  // namespace sheaf::heartbeat
