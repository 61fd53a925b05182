// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/ghost_bits.hpp"

#include <cstdint>
#include <vector>

#include "sheaf/graph/detail/exchange.hpp"

namespace sheaf::detail {

void pull_bits(graph_shape const& g, bitmap const& from, std::initializer_list<bitmap*> to) {
  std::vector<std::vector<std::uint64_t>> bits(g.members().size());
  for (std::uint32_t r = 0; r < bits.size(); ++r) {
    auto const mirrors = g.mirrors_at(r);
    bits[r].resize((mirrors.size() + 63) / 64);
    for (std::size_t k = 0; k < mirrors.size(); ++k) bits[r][k / 64] |= std::uint64_t{from[mirrors[k]]} << k % 64;
  }
  bits = detail::exchange(g.members(), bits);
  for (std::uint32_t r = 0; r < bits.size(); ++r) {
    std::uint64_t const first = g.ghosts_of(r).first;
    for (std::size_t w = 0; w < bits[r].size(); ++w) {
      for (bitmap* const each : to) each->add_word(first + 64 * w, bits[r][w]);
    }
  }
}

}  // namespace sheaf::detail
