// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/ghost_bits.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/graph/detail/exchange.hpp"

namespace sheaf::detail {

namespace {

/// Of the first 64 vertices, or fewer. Many follow each other where most own vertices are ghosts elsewhere.
std::uint64_t bits_of(bitmap const& from, std::span<vertex const> which) {
  constexpr std::size_t most = bitmap::word_bits;
  if (which.size() >= most && which[most - 1] - which[0] == most - 1) return from.bits_from(which[0]);
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < std::min(most, which.size()); ++k) bits |= std::uint64_t{from[which[k]]} << k;
  return bits;
}

}  // namespace

void pull_bits(graph_shape const& g, bitmap const& from, std::initializer_list<bitmap*> to) {
  std::vector<part_for<std::vector<std::uint64_t>>> parts;
  for (std::uint32_t const r : g.neighbour_ranks()) {
    auto const mirrors = g.mirrors_at(r);
    std::vector<std::uint64_t> bits((mirrors.size() + bitmap::word_bits - 1) / bitmap::word_bits);
    for (std::size_t w = 0; w < bits.size(); ++w) bits[w] = bits_of(from, mirrors.subspan(w * bitmap::word_bits));
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
