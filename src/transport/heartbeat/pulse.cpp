// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/heartbeat/pulse.hpp"

#include <algorithm>
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
    neighbours_.push_back({.process = process, .heard_ns = now});
  }
}

pulse::neighbour* pulse::find(std::uint32_t process) noexcept {
  auto const at = std::find_if(neighbours_.begin(), neighbours_.end(),
                               [&](neighbour const& each) { return each.process == process; });
  return at == neighbours_.end() ? nullptr : &*at;
}

// ---- What comes --------------------------------------------------------------------------------------------------

void pulse::received(std::uint64_t now, std::span<std::byte const> bytes) {
  std::optional<datagram> const d = read(bytes, key_, self_, size_);
  if (!d) return;
  if (d->kind == datagram_kind::end) {
    if (!found_) found_ = finding{d->about, 0, d->from};
    return;
  }
  neighbour* const sender = find(d->from);
  if (sender == nullptr) return;
  sender->heard = true;
  sender->heard_ns = now;
  if (d->kind == datagram_kind::goodbye) sender->left = true;
}

// ---- What goes ---------------------------------------------------------------------------------------------------

void pulse::send(std::uint32_t to, datagram_kind kind, courier& out) {
  datagram const d{.key = key_, .from = self_, .to = to, .about = found_ ? found_->about : self_, .kind = kind};
  out.send(to, std::as_bytes(std::span(&d, 1)));
}

void pulse::say_goodbye(courier& out) {
  for (neighbour const& each : neighbours_) send(each.process, datagram_kind::goodbye, out);
}

void pulse::tell_all(courier& out) {
  for (std::uint32_t process = 0; process < size_; ++process) {
    if (process != self_) send(process, datagram_kind::end, out);
  }
}

// ---- Judging -----------------------------------------------------------------------------------------------------

std::uint64_t pulse::tick(std::uint64_t now, courier& out) {
  discount_own_sleep(now);
  if (now >= next_beat_ns_) {
    for (neighbour const& each : neighbours_) {
      if (!each.left) send(each.process, datagram_kind::beat, out);
    }
    next_beat_ns_ = now + period_ns_;
  }
  std::uint64_t next = next_beat_ns_;
  for (neighbour const& each : neighbours_) {
    if (each.left || !each.heard) continue;
    std::uint64_t const silent = now - each.heard_ns;
    if (silent >= limit_ns_ && !found_) found_ = finding{each.process, silent, self_};
    next = std::min(next, each.heard_ns + limit_ns_);
  }
  return std::max(next, now + 1);
}

/// While this process itself stood still, it heard nobody, whoever was there to be heard.
void pulse::discount_own_sleep(std::uint64_t now) {
  std::uint64_t const gap = now - std::exchange(last_tick_ns_, now);
  if (gap < limit_ns_ / 2) return;
  for (neighbour& each : neighbours_) each.heard_ns = std::min(now, each.heard_ns + gap);
}

std::optional<std::uint32_t> pulse::never_heard(std::uint64_t now) {
  for (neighbour& each : neighbours_) {
    bool const due = !each.heard && !each.left && now - each.heard_ns >= limit_ns_;
    if (due && !std::exchange(each.reported, true)) return each.process;
  }
  return {};
}

}  // namespace sheaf::heartbeat
