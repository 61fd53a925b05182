// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/runtime/team.hpp"

namespace sheaf::tool {

/// How many of something have each value.
struct histogram {
  struct bar {
    std::uint64_t from, to;  ///< the values, both included
    std::uint64_t count;
  };
  std::string title, values, counts;  ///< what stands above, below and beside a picture of it
  std::vector<bar> bars;

  /// For the terminal: a line for each bar.
  [[nodiscard]] std::string text() const;
};

/// Collective. A bar for each value 0…n−1, given how often each one is here; the same on every member.
histogram histogram_of_values(team const& members, std::vector<std::uint64_t> counts);
/// Collective. Bars 0, 1, 2–3, 4–7 …, up to 2^64 − 1.
histogram histogram_of_powers(team const& members, std::vector<std::uint64_t> const& values);

/// Throws command_error unless a picture can be drawn: the file is named .svg or .png, its folder is
/// there, and so is gnuplot.
void check_drawable(std::string const& file);
/// Writes a picture of all, one above the other. Throws command_error where gnuplot fails.
void draw(std::vector<histogram> const& all, std::string const& file);

}  // namespace sheaf::tool
