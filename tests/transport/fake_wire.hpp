// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// A wire without a network: all endpoints of a job in one thread, as bad as a message-passing library may be. Receives
/// end in any order, late, and are reported a few at a time; sends are refused, end late, and some only deliver while
/// their sender polls. Packets and rooms must lie in memory of the wire. All of it follows from the seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/base/error.hpp"
#include "transport/net/wire.hpp"

namespace sheaf_test {

/// How badly a fake network behaves. Delays are counted in looks of the process concerned.
struct weather {
  std::uint32_t latest = 40;       ///< a packet is late by up to this many looks
  std::uint32_t eager_bytes = 64;  ///< longer packets leave their sender's memory only when received
  bool unordered = true;           ///< receives are matched in any order, else in that of MPI
  bool partial = true;             ///< a look may miss what has ended
  std::uint32_t first_late = 0;    ///< the very first packet is late by so many looks more
  bool refuses = true;             ///< every fourth send or receive is to be tried again, sends for a few polls
  bool shares = false;             ///< all processes but the last of three or more share memory
};

/// How many of the processes share memory in such weather.
inline std::uint32_t on_host(std::uint32_t processes) { return processes > 2 ? processes - 1 : processes; }

inline constexpr weather fair_weather = {0, 1 << 20, false, false, 0, false};

/// Memory that knows what of it is in use.
class known_memory final : public sheaf::host_memory {
 public:
  std::byte* take(std::size_t bytes) override {
    std::lock_guard const hold(lock_);
    std::byte* const at = under_.take(bytes);
    used_[at] = bytes;
    return at;
  }
  void give_back(std::byte* data, std::size_t bytes) noexcept override {
    std::lock_guard const hold(lock_);
    if (auto const at = used_.find(data); at == used_.end() || at->second != bytes) std::abort();
    used_.erase(data);
    under_.give_back(data, bytes);
  }
  [[nodiscard]] bool holds(std::span<std::byte const> part) {
    std::lock_guard const hold(lock_);
    auto const next = used_.upper_bound(part.data());
    return next != used_.begin() && part.data() + part.size() <= std::prev(next)->first + std::prev(next)->second;
  }
  [[nodiscard]] std::size_t bytes() {
    std::lock_guard const hold(lock_);
    std::size_t all = 0;
    for (auto const& [at, size] : used_) all += size;
    return all;
  }

 private:
  std::mutex lock_;
  sheaf::heap_memory under_;
  std::map<std::byte const*, std::size_t> used_;
};

class fake_network {
 public:
  class fake_wire;
  class fake_bootstrap;

  /// `at_look` is called in every look at the wire; there the caller may run another process.
  fake_network(std::uint32_t processes, std::uint64_t seed, weather w, std::function<void()> at_look);
  ~fake_network();

  sheaf::net::wire& at(std::uint32_t rank);
  sheaf::net::bootstrap& processes(std::uint32_t rank);
  /// Sends bytes that need not be a packet, from any memory.
  void forge(std::uint32_t from, std::uint32_t to, std::span<std::byte const> bytes);
  [[nodiscard]] std::size_t memory_in_use(std::uint32_t rank);
  [[nodiscard]] std::uint64_t packets() const { return packets_; }
  [[nodiscard]] std::size_t receives_posted(std::uint32_t rank) const;
  std::uint64_t random(std::uint64_t below) { return below == 0 ? 0 : random_() % below; }

 private:
  struct outgoing {
    std::vector<std::byte> copy;  ///< of an eager packet
    std::span<std::byte const> data;
    std::uint32_t slot = 0;
    std::uint32_t hidden = 0;  ///< looks of the sender until it can be matched
    bool eager = false;
  };

  std::vector<std::unique_ptr<fake_wire>> wires_;
  std::vector<std::unique_ptr<fake_bootstrap>> bootstraps_;
  std::mt19937_64 random_;
  weather const weather_;
  std::function<void()> at_look_;
  struct round {
    std::uint32_t came = 0;
    std::int64_t sum = 0;
  };
  std::vector<round> sums_;
  std::string failure_;
  std::uint64_t packets_ = 0;
  std::uint32_t forged_ = 0;
};

class fake_network::fake_wire final : public sheaf::net::wire {
 public:
  fake_wire(fake_network& net, std::uint32_t rank, std::uint32_t size) : net_(net), rank_(rank), lines_(size) {}

  sheaf::host_memory& memory() noexcept override { return memory_; }

  sent start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) override {
    if (!memory_.holds(packet)) throw sheaf::error("a packet is not in memory of the wire");
    if (net_.weather_.refuses && (refusals_ != 0 || net_.random(4) == 0)) {
      if (refusals_ == 0) refusals_ = static_cast<std::uint32_t>(1 + net_.random(4));
      return sent::try_again;
    }
    return launch(slot, dest, packet);
  }

  sent launch(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) {
    ++net_.packets_;
    outgoing o{{}, packet, slot, static_cast<std::uint32_t>(net_.random(net_.weather_.latest)), false};
    o.eager = packet.size() <= net_.weather_.eager_bytes;
    if (o.eager) o.copy.assign(packet.begin(), packet.end());
    if (slot >= sends_.size()) sends_.resize(slot + 1);
    bool const at_once = o.eager && net_.random(2) == 0;
    sends_[slot] = at_once ? send_state::none : o.eager ? send_state::ended : send_state::under_way;
    net_.wires_[dest]->lines_[rank_].push_back(std::move(o));
    return at_once ? sent::ended : sent::under_way;
  }

  bool start_receive(std::uint32_t slot, std::span<std::byte> room) override {
    if (!memory_.holds(room)) throw sheaf::error("a room is not in memory of the wire");
    if (net_.weather_.refuses && net_.random(4) == 0) return false;
    posted_.push_back({room, slot, 0, 0, nullptr});
    return true;
  }
  void withdraw_receives() noexcept override { posted_.clear(); }

  std::size_t poll(std::span<sheaf::net::completion> done) override {
    net_.at_look_();
    if (!net_.failure_.empty()) throw sheaf::job_aborted(net_.failure_);
    refusals_ -= refusals_ != 0;
    for (auto& w : net_.wires_) {
      for (outgoing& o : w->lines_[rank_]) o.hidden -= o.hidden != 0;
    }
    std::size_t const sends = ended_sends(done);
    return sends + ended_receives(done.subspan(sends));
  }

  void close() noexcept override {}

 private:
  enum class send_state : std::uint8_t { none, under_way, ended };
  struct posting {
    std::span<std::byte> room;
    std::uint32_t slot = 0;
    std::uint32_t late = 0;
    std::uint32_t source = 0;
    std::shared_ptr<outgoing> matched;
  };
  friend class fake_network;

  std::uint64_t matched_packets_ = 0;

  bool misses() { return net_.weather_.partial && net_.random(4) == 0; }

  std::size_t ended_sends(std::span<sheaf::net::completion> done) {
    std::size_t n = 0;
    for (std::uint32_t s = 0; s < sends_.size() && n < done.size(); ++s) {
      if (sends_[s] != send_state::ended || misses()) continue;
      sends_[s] = send_state::none;
      done[n++] = {sheaf::net::direction::send, s, 0, 0};
    }
    return n;
  }

  std::size_t ended_receives(std::span<sheaf::net::completion> done) {
    match();
    std::size_t n = 0;
    for (auto p = posted_.begin(); p != posted_.end() && n < done.size();) {
      if (p->late != 0) --p->late;
      if (p->matched == nullptr || p->late != 0 || misses()) {
        ++p;
        continue;
      }
      done[n++] = finish(*p);
      p = posted_.erase(p);
    }
    return n;
  }

  sheaf::net::completion finish(posting& p) {
    outgoing const& o = *p.matched;
    std::span<std::byte const> const data = o.eager ? std::span<std::byte const>(o.copy) : o.data;
    if (data.size() > p.room.size()) throw sheaf::error("a packet is longer than the room posted for it");
    std::memcpy(p.room.data(), data.data(), data.size());
    if (!o.eager) net_.wires_[p.source]->sends_[o.slot] = send_state::ended;
    return {sheaf::net::direction::receive, p.slot, p.source, data.size()};
  }

  void match() {
    for (std::uint32_t source = 0; source < lines_.size(); ++source) {
      auto& line = lines_[(source + turn_) % lines_.size()];
      while (!line.empty() && line.front().hidden == 0) {
        std::vector<posting*> open;
        for (posting& p : posted_) {
          if (p.matched == nullptr) open.push_back(&p);
        }
        if (open.empty()) return;
        posting& p = *open[net_.weather_.unordered ? net_.random(open.size()) : 0];
        p.source = (source + turn_) % static_cast<std::uint32_t>(lines_.size());
        p.late = static_cast<std::uint32_t>(net_.random(3) == 0 ? net_.random(net_.weather_.latest) : 0);
        if (++matched_packets_ == 1) p.late += net_.weather_.first_late;
        p.matched = std::make_shared<outgoing>(std::move(line.front()));
        line.pop_front();
      }
    }
    ++turn_;
  }

  fake_network& net_;
  std::uint32_t const rank_;
  std::vector<std::deque<outgoing>> lines_;  ///< by source
  std::deque<posting> posted_;
  std::vector<send_state> sends_;
  std::uint32_t turn_ = 0;
  std::uint32_t refusals_ = 0;  ///< polls until it takes more
  known_memory memory_;
};

class fake_network::fake_bootstrap final : public sheaf::net::bootstrap {
 public:
  fake_bootstrap(fake_network& net, std::uint32_t rank) : net_(net), rank_(rank) {}

  sheaf::net::thread_level level() const noexcept override { return sheaf::net::thread_level::one_at_a_time; }
  std::uint32_t rank() const noexcept override { return rank_; }
  std::uint32_t size() const noexcept override { return static_cast<std::uint32_t>(net_.wires_.size()); }
  void exchange(std::span<std::byte const>, std::span<std::byte>) override { throw sheaf::usage_error("not faked"); }

  std::optional<std::int64_t> sum(std::int64_t mine) override {
    if (round_ == net_.sums_.size()) net_.sums_.emplace_back();
    round& now = net_.sums_[round_];
    if (!std::exchange(in_round_, true)) {
      ++now.came;
      now.sum += mine;
    }
    if (now.came < size()) return {};
    ++round_;
    in_round_ = false;
    return now.sum;
  }

  void abort(std::uint32_t, std::string_view reason) noexcept override { net_.failure_ = reason; }
  void close() noexcept override {}

 private:
  fake_network& net_;
  std::uint32_t const rank_;
  std::size_t round_ = 0;
  bool in_round_ = false;
};

inline fake_network::fake_network(std::uint32_t processes, std::uint64_t seed, weather w, std::function<void()> at_look)
    : random_(seed), weather_(w), at_look_(std::move(at_look)) {
  for (std::uint32_t r = 0; r < processes; ++r) {
    wires_.push_back(std::make_unique<fake_wire>(*this, r, processes));
    bootstraps_.push_back(std::make_unique<fake_bootstrap>(*this, r));
  }
}
inline fake_network::~fake_network() = default;
inline std::size_t fake_network::receives_posted(std::uint32_t rank) const { return wires_[rank]->posted_.size(); }
inline sheaf::net::wire& fake_network::at(std::uint32_t rank) { return *wires_[rank]; }
inline sheaf::net::bootstrap& fake_network::processes(std::uint32_t rank) { return *bootstraps_[rank]; }
inline std::size_t fake_network::memory_in_use(std::uint32_t rank) { return wires_[rank]->memory_.bytes(); }
inline void fake_network::forge(std::uint32_t from, std::uint32_t to, std::span<std::byte const> bytes) {
  static_cast<void>(wires_[from]->launch(forged_++, to, bytes));
}

}  // namespace sheaf_test
