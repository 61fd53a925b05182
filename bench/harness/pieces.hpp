// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What host.stream moves, shared by Sheaf's program and its peer: many vectors, more than caches hold, on ordinary
/// pages. Each word tells which vector and which place it is of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/measure.hpp"

namespace sheaf_bench {

using piece = std::vector<std::uint64_t>;

struct piece_set {
  std::size_t bytes;
  std::size_t count;

  explicit piece_set(arguments const& args)
      : bytes(static_cast<std::size_t>(args.number("--piece", std::int64_t{1} << 20)) / 8 * 8),
        count(static_cast<std::size_t>(args.number("--pieces", 256))) {
    check(bytes >= 8 && count >= 1, "--piece must be at least 8, and --pieces at least 1");
  }

  [[nodiscard]] static std::uint64_t word(std::size_t which, std::size_t place) {
    return (which + 1) * 0x9e3779b97f4a7c15u + place;
  }
  [[nodiscard]] piece make(std::size_t which) const {
    piece made(bytes / 8);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = word(which, i);
    return made;
  }
  [[nodiscard]] std::vector<piece> make_all() const {
    std::vector<piece> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(make(i));
    return all;
  }
  /// Its ends, or all of it.
  [[nodiscard]] bool is(std::uint64_t const* words, std::size_t size, std::size_t which, bool wholly) const {
    if (size != bytes / 8 || words[0] != word(which, 0) || words[size - 1] != word(which, size - 1)) return false;
    for (std::size_t i = 0; wholly && i < size; ++i) {
      if (words[i] != word(which, i)) return false;
    }
    return true;
  }
};

}  // namespace sheaf_bench
