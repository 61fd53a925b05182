// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Processes with heartbeats in virtual time, over a network that a test spoils: datagrams are lost, late, overtake
/// each other, come twice, and hosts are cut off. All of it follows from the seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "transport/heartbeat/heart.hpp"

namespace sheaf_test {

inline constexpr std::uint64_t second = 1'000'000'000;

class heartbeat_world {
 public:
  struct weather {
    double loss = 0;               ///< chance that a datagram does not arrive
    std::uint64_t latest = 0;      ///< by how much one is late, at most
    double twice = 0;              ///< chance that one comes again, later
    std::uint64_t late_ticks = 0;  ///< how much later than due a process looks at its heartbeats, at most
  };
  struct process {
    std::optional<sheaf::heartbeat::pulse> pulse;
    std::uint64_t next_tick = 0;
    std::uint64_t stopped_until = 0;
    bool gone = false;                   ///< it was killed
    std::optional<std::uint64_t> ended;  ///< when it found or heard of a loss
    std::vector<std::uint32_t> never_heard;
  };

  heartbeat_world(std::uint32_t size, std::uint64_t limit, weather w, std::uint64_t seed = 1)
      : weather_(w), random_(seed), processes_(size) {
    for (std::uint32_t i = 0; i < size; ++i) processes_[i].pulse.emplace(i, size, key, limit, 0);
  }

  static constexpr std::uint64_t key = 0x1234'5678'9abc'def0u;
  static constexpr std::uint64_t forever = UINT64_MAX;

  /// Whether a datagram gets from one process to another; may be changed at any time.
  std::function<bool(std::uint32_t from, std::uint32_t to)> connected = [](auto, auto) { return true; };

  [[nodiscard]] process& at(std::uint32_t i) { return processes_[i]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(processes_.size()); }
  [[nodiscard]] std::uint64_t now() const { return now_; }
  [[nodiscard]] std::size_t sent() const { return sent_; }

  /// Plays until this time.
  void play(std::uint64_t until) {
    for (;;) {
      std::uint64_t const next = next_event();
      if (next > until) break;
      now_ = next;
      deliver();
      for (std::uint32_t i = 0; i < size(); ++i) {
        if (runs(i) && processes_[i].next_tick <= now_) look(i);
      }
    }
    now_ = until;
  }

  /// Stops a process (SIGSTOP) for so long; what comes meanwhile waits for it.
  void stop(std::uint32_t i, std::uint64_t time) { processes_[i].stopped_until = now_ + time; }

  [[nodiscard]] std::size_t ended() const {
    return static_cast<std::size_t>(
        std::count_if(processes_.begin(), processes_.end(), [](process const& p) { return p.ended.has_value(); }));
  }

 private:
  struct flight {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::vector<std::byte> bytes;
  };

  bool runs(std::uint32_t i) const {
    process const& p = processes_[i];
    return !p.gone && !p.ended && p.stopped_until <= now_;
  }
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  std::uint64_t random(std::uint64_t most) { return most == 0 ? 0 : random_() % (most + 1); }

  void take(std::uint32_t from, std::uint32_t to, std::span<std::byte const> bytes) {
    ++sent_;
    if (!connected(from, to) || chance(weather_.loss)) return;
    if (processes_[to].gone || processes_[to].ended) return;
    flight const f{from, to, {bytes.begin(), bytes.end()}};
    flights_.emplace(now_ + random(weather_.latest), f);
    if (chance(weather_.twice)) flights_.emplace(now_ + random(3 * weather_.latest), f);
  }

  std::uint64_t next_event() const {
    std::uint64_t next = forever;
    for (auto const& [when, f] : flights_) {
      process const& p = processes_[f.to];
      if (p.gone || p.ended) continue;
      next = std::min(next, std::max(when, p.stopped_until));
    }
    for (process const& p : processes_) {
      if (!p.gone && !p.ended) next = std::min(next, std::max(p.next_tick, p.stopped_until));
    }
    return next == forever ? forever : std::max(next, now_);
  }

  void deliver() {
    for (auto at = flights_.begin(); at != flights_.end() && at->first <= now_;) {
      flight const& f = at->second;
      process& p = processes_[f.to];
      if (runs(f.to)) p.pulse->received(now_, f.bytes);
      p.next_tick = std::min(p.next_tick, now_);
      at = runs(f.to) || p.gone || p.ended ? flights_.erase(at) : std::next(at);
    }
  }

  void look(std::uint32_t i) {
    process& p = processes_[i];
    auto const out = [this, i](std::uint32_t to, std::span<std::byte const> bytes) { take(i, to, bytes); };
    p.next_tick = p.pulse->tick(now_, out) + random(weather_.late_ticks);
    while (auto const who = p.pulse->never_heard(now_)) p.never_heard.push_back(*who);
    if (!p.pulse->found()) return;
    if (p.pulse->found()->told_by == i) p.pulse->tell_all(out);
    p.ended = now_;
  }

  weather const weather_;
  std::mt19937_64 random_;
  std::vector<process> processes_;
  std::multimap<std::uint64_t, flight> flights_;
  std::uint64_t now_ = 0;
  std::size_t sent_ = 0;
};

}  // namespace sheaf_test
