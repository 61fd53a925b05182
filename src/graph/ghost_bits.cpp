// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/ghost_bits.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/graph/detail/exchange.hpp"

namespace sheaf::detail {

void pull_bits(graph_shape const& g, bitmap const& from, std::initializer_list<bitmap*> to) {
  std::vector<part_for<std::vector<std::uint64_t>>> parts;
  for (std::uint32_t const r : g.neighbour_ranks()) {
    auto const mirrors = g.mirrors_at(r);
    std::vector<std::uint64_t> bits((mirrors.size() + 63) / 64);
    for (std::size_t k = 0; k < mirrors.size(); ++k) bits[k / 64] |= std::uint64_t{from[mirrors[k]]} << k % 64;
    parts.push_back({r, std::move(bits)});
  }
  for (auto const& [rank, bits] : exchange_parts(g.members(), std::move(parts))) {
    std::uint64_t const first = g.ghosts_of(rank).first;
    for (std::size_t w = 0; w < bits.size(); ++w) {
      for (bitmap* const each : to) each->add_word(first + 64 * w, bits[w]);
    }
  }
}

}  // namespace sheaf::detail
