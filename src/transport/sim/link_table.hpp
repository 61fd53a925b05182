// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "transport/sim/sim_link.hpp"

namespace sheaf::detail {

/// The links of one sender by destination and class: open addressing, at most half full, nothing before first use.
class link_table {
 public:
  [[nodiscard]] sim_link* find(location_id dest, traffic kind) const noexcept {
    if (slots_.empty()) return nullptr;
    return slots_[slot(dest, kind)];
  }

  void insert(sim_link& link) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    slots_[slot(link.dest, link.kind)] = &link;
    ++count_;
  }

  [[nodiscard]] std::size_t slots() const noexcept { return slots_.size(); }

 private:
  [[nodiscard]] std::size_t slot(location_id dest, traffic kind) const noexcept {
    std::size_t const mask = slots_.size() - 1;
    std::size_t i = (number(dest) * 2 + static_cast<std::size_t>(kind)) & mask;
    while (slots_[i] != nullptr && (slots_[i]->dest != dest || slots_[i]->kind != kind)) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<sim_link*> const old = std::exchange(slots_, {});
    slots_.resize(old.empty() ? 4 : 2 * old.size());
    for (sim_link* link : old) {
      if (link != nullptr) slots_[slot(link->dest, link->kind)] = link;
    }
  }

  std::vector<sim_link*> slots_;
  std::size_t count_ = 0;
};

}  // namespace sheaf::detail
