// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sheaf/base/location_id.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

struct sim_location;
struct sim_thread;
struct sim_link;

/// What the scheduler can do next: let a thread of a location run, let the next entry of a link arrive, or let its
/// sender know of one consumed entry.
enum class step_kind : std::uint8_t { run, arrive, credit };

/// A possible step. Lives in the location or link that it concerns and is a member of the step_set while it is
/// possible.
struct step {
  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  step_kind kind{};
  std::uint32_t priority = 0;
  std::uint32_t place = absent;   ///< index in the step_set, which alone writes this, `older` and `newer`
  std::uint64_t label = 0;        ///< the same for the same step in every run
  sim_location* owner = nullptr;  ///< whose state the step changes; steps of different owners commute
  sim_link* link = nullptr;       ///< of a step that is not a run
  sim_thread* runs = nullptr;     ///< of a run
  step* older = nullptr;
  step* newer = nullptr;

  [[nodiscard]] bool possible() const noexcept { return place != absent; }

  /// A label: the owner, the kind, the link's other end and its class.
  static std::uint64_t label_of(location_id owner, step_kind what, location_id peer, traffic kind) noexcept {
    return std::uint64_t{number(owner)} << 22 | std::uint64_t{static_cast<std::uint8_t>(what)} << 20 |
           std::uint64_t{number(peer)} << 3 | static_cast<std::uint8_t>(kind);
  }
  static std::uint32_t owner_of(std::uint64_t label) noexcept { return static_cast<std::uint32_t>(label >> 22); }
  static step_kind kind_of(std::uint64_t label) noexcept { return static_cast<step_kind>(label >> 20 & 3); }
  static traffic class_of(std::uint64_t label) noexcept { return static_cast<traffic>(label & 7); }
};

/// The steps possible now, by index in an order that depends on the run alone, and by age. Every operation is O(1).
class step_set {
 public:
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(steps_.size()); }
  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  [[nodiscard]] step& operator[](std::uint32_t i) const noexcept { return *steps_[i]; }
  [[nodiscard]] step& oldest() const noexcept { return *oldest_; }
  [[nodiscard]] step& newest() const noexcept { return *newest_; }

  void add(step& s) {
    s.place = size();
    steps_.push_back(&s);
    s.older = newest_;
    s.newer = nullptr;
    (newest_ != nullptr ? newest_->newer : oldest_) = &s;
    newest_ = &s;
  }

  void remove(step& s) noexcept {
    steps_.back()->place = s.place;
    steps_[s.place] = steps_.back();
    steps_.pop_back();
    s.place = step::absent;
    (s.older != nullptr ? s.older->newer : oldest_) = s.newer;
    (s.newer != nullptr ? s.newer->older : newest_) = s.older;
  }

  void clear() noexcept {
    for (step* s : steps_) s->place = step::absent;
    steps_.clear();
    oldest_ = newest_ = nullptr;
  }

 private:
  std::vector<step*> steps_;
  step* oldest_ = nullptr;
  step* newest_ = nullptr;
};

}  // namespace sheaf::detail
