// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <compare>
#include <cstdint>

namespace sheaf {

/// How the members of an epoch find out that all of its messages have been handled. In ascending order of strength: the
/// last four are for handlers that send to any depth.
enum class detector : std::uint8_t {
  /// For a stated nesting depth (Hoefler, Siebert, Lumsdaine 2010): who has sent to a member asks it for one
  /// acknowledgement, then all meet in a barrier; once for each generation.
  depth,
  /// The fence's: sums of requests sent and executed, which carry the number of their sender's cut.
  coloured_wave,
  /// Mattern 1987: sums of requests sent and of those executed; ends if as many had been executed in the wave before
  /// as are sent in this one.
  four_counter,
  /// Mattern 1987: each member tells each other how many requests it has sent to it.
  channel_counting,
  /// Sinha, Kalé, Ramkumar 1993: sums of requests sent and executed and, where they are equal, a wave that asks whether
  /// anybody has done anything since.
  sinha_kale_ramkumar
};

/// A detector, and the nesting depth for `detector::depth`: 0 if handlers send nothing, 1 if they send messages whose
/// handlers send nothing, and so on. A remote call counts as one message, its reply as none; a broadcast counts once
/// for each hop in its tree. Handlers must not call migrating objects then (usage_error).
struct detection {
  static constexpr std::uint32_t most_depth = 12;

  detector by = detector::coloured_wave;
  std::uint32_t depth = 0;

  auto operator<=>(detection const&) const = default;
};

/// Handlers nest to this depth.
constexpr detection nesting_depth(std::uint32_t depth) { return {detector::depth, depth}; }

}  // namespace sheaf
