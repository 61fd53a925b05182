// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "transport/host/ring.hpp"

namespace sheaf::host {

/// The receiver's ends of all rings of one traffic class that lead to one location.
class inbox {
 public:
  explicit inbox(std::uint32_t locations) : place_of_(locations, 0) {}

  /// From now on the ring is looked at.
  void add(ring& from);

  /// Finds the next arrival. Looks at a few sources in turn and at those that were active last, so that the cost does
  /// not grow with their number; each source is reached within `sources / turns_per_poll` calls, however busy others
  /// are.
  bool poll(arrival& out) noexcept {
    std::size_t const count = sources_.size();
    bool const few = count <= turns_per_poll + hot_sources;
    for (std::size_t look = few ? count : turns_per_poll; look != 0; --look) {
      if (++turn_ >= count) turn_ = 0;
      if (sources_[turn_].ready()) return deliver(turn_, out);
    }
    return !few && poll_hot(out);
  }

  /// Whether any source has an arrival; the next polls find it at once.
  bool any_ready() noexcept;

  /// Ends the arrival of `source` and returns its credit, waking a sender that waits for it. Unless `keep` is null its
  /// block, which there must be, stays with that.
  void consumed(location_id source, buffer* keep = nullptr);

 private:
  static constexpr std::size_t turns_per_poll = 3;
  static constexpr std::size_t hot_sources = 2;

  /// One ring as its receiver sees it.
  struct source {
    ring_slot* head;
    std::uint32_t turn;  ///< what the head's turn will be
    bool held = false;   ///< the head is delivered and not consumed
    ring* from;
    std::uint64_t done = 0;
    std::shared_ptr<block_home> kept = nullptr;  ///< where kept blocks go back to; made when one is

    [[nodiscard]] bool ready() const noexcept { return head->turn.load(std::memory_order_seq_cst) == turn && !held; }
  };

  static buffer keep_head(source& s);
  bool poll_hot(arrival& out) noexcept;
  bool deliver(std::size_t place, arrival& out) noexcept;
  void warm(std::uint32_t place) noexcept;

  std::size_t turn_ = 0;
  std::uint32_t hot_[hot_sources] = {0, 0};
  std::vector<source> sources_;
  std::vector<std::uint32_t> place_of_;  ///< by location: its place in sources_
};

}  // namespace sheaf::host
