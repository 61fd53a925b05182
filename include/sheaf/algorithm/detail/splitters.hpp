// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// An element of the sample: equal values are told apart by where they stood, so that any input splits evenly.
template <class T>
struct sampled {
  T value;
  std::uint64_t place = 0;  ///< position in the whole input
};

/// Samples per member that keep the largest bucket within a tenth of the mean with high probability (Blelloch et al.
/// 1991).
constexpr std::size_t sample_size(std::uint32_t members) { return members == 1 ? 0 : 2048 / members + 64; }

/// Collective: the members' samples put together, cut into as many nearly equal parts as there are members.
/// `less` orders values; every member gets the same size()−1 splitters.
template <class T, class Less>
std::vector<sampled<T>> choose_splitters(team const& on, std::vector<sampled<T>> const& mine, Less less) {
  std::vector<sampled<T>> all;
  for (auto& part : all_gather(on, mine)) {
    all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  std::sort(all.begin(), all.end(), [&](auto const& a, auto const& b) {
    if (less(a.value, b.value)) return true;
    if (less(b.value, a.value)) return false;
    return a.place < b.place;
  });
  std::vector<sampled<T>> splitters;
  if (all.empty()) return splitters;
  for (std::uint32_t r = 1; r < on.size(); ++r) splitters.push_back(all[all.size() * r / on.size()]);
  return splitters;
}

}  // namespace sheaf::detail
