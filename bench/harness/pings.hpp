// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The work of ARMI's Fig. 6: n pings of 8 bytes from location 0 to 1, then one pong back; how long until it is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/measure.hpp"

namespace sheaf_bench {

inline constexpr std::int64_t ping_counts[] = {1, 3, 10, 30, 100, 300, 1000, 3000, 10000};

/// How often `pings` pings and a pong are repeated in one sample.
inline int ping_rounds(std::int64_t pings) { return static_cast<int>(std::max<std::int64_t>(1, 4000 / (pings + 20))); }

/// A point of a curve that a program prints: the number of pings, and microseconds for each of its settings.
inline std::string point_text(std::int64_t pings, std::vector<double> const& us) {
  std::string text = std::to_string(pings);
  for (double const value : us) text += ", " + std::to_string(value);
  return "[" + text + "]";
}

/// Samples `round(n)` at each number of pings; prints the last point's time and, as "points", all.
template <class Round>
std::string ping_curve(int reps, std::vector<double>& last, Round&& round) {
  std::string points;
  for (std::int64_t const n : ping_counts) {
    int const rounds = ping_rounds(n);
    last = sample(2, reps, [&](int) { return ns_each(1, rounds, [&] { round(n); }) * 1e-3; });
    points += (points.empty() ? "" : ", ") + point_text(n, {median(last)});
  }
  return ", \"points\": [" + points + "]";
}

}  // namespace sheaf_bench
