// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "transport/sim/sim_location.hpp"

namespace sheaf::detail {

/// The locations that wait with a deadline, the earliest on top: a binary heap that each of them knows its place in.
class timer_heap {
 public:
  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  [[nodiscard]] sim_location& earliest() const noexcept { return *heap_.front(); }

  void add(sim_location& l) {
    heap_.push_back(&l);
    l.timer = static_cast<std::uint32_t>(heap_.size() - 1);
    rise(l.timer);
  }

  void remove(sim_location& l) noexcept {
    std::uint32_t const hole = std::exchange(l.timer, sim_location::no_timer);
    sim_location* const last = heap_.back();
    heap_.pop_back();
    if (last == &l) return;
    put(hole, last);
    rise(hole);
    sink(last->timer);
  }

  void clear() noexcept {
    for (sim_location* l : heap_) l->timer = sim_location::no_timer;
    heap_.clear();
  }

 private:
  static bool before(sim_location const* a, sim_location const* b) noexcept {
    return std::pair(a->deadline, a->id) < std::pair(b->deadline, b->id);
  }

  void put(std::uint32_t place, sim_location* l) noexcept {
    heap_[place] = l;
    l->timer = place;
  }

  void rise(std::uint32_t i) noexcept {
    for (; i != 0 && before(heap_[i], heap_[(i - 1) / 2]); i = (i - 1) / 2) exchange(i, (i - 1) / 2);
  }

  void sink(std::uint32_t i) noexcept {
    for (;;) {
      std::uint32_t child = 2 * i + 1;
      if (child >= heap_.size()) return;
      if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], heap_[i])) return;
      exchange(i, child);
      i = child;
    }
  }

  void exchange(std::uint32_t a, std::uint32_t b) noexcept {
    sim_location* const first = heap_[a];
    put(a, heap_[b]);
    put(b, first);
  }

  std::vector<sim_location*> heap_;
};

}  // namespace sheaf::detail
