// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf {

/// What every record of a run shares: which handler, on which object of which team. One word, so that the sender's test
/// whether a request continues the open run is one comparison. docs/wire-format.md has the layout.
class run_tag {
 public:
  static constexpr std::uint32_t handler_bits = 20;
  static constexpr std::uint32_t object_bits = 24;
  static constexpr std::uint32_t team_bits = 20;

  constexpr run_tag() = default;
  constexpr explicit run_tag(std::uint64_t word) : word_(word) {}
  constexpr run_tag(std::uint32_t handler, std::uint32_t object, std::uint32_t team)
      : word_(handler | std::uint64_t{object} << handler_bits | std::uint64_t{team} << (handler_bits + object_bits)) {}

  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  [[nodiscard]] constexpr std::uint32_t handler() const { return word_ & ((1U << handler_bits) - 1); }
  [[nodiscard]] constexpr std::uint32_t object() const { return word_ >> handler_bits & ((1U << object_bits) - 1); }
  [[nodiscard]] constexpr std::uint32_t team() const {
    return static_cast<std::uint32_t>(word_ >> (handler_bits + object_bits));
  }

  /// The same object with a handler; only for a tag without one.
  [[nodiscard]] constexpr run_tag with_handler(std::uint32_t handler) const { return run_tag(word_ | handler); }

  constexpr bool operator==(run_tag const&) const = default;

 private:
  std::uint64_t word_ = 0;  // 0 is no tag: handler numbers start at 1
};

/// The header in front of a run's packed records.
struct run_header {
  run_tag tag;
  std::uint32_t count = 0;        ///< records in the run, at least 1
  std::uint32_t bytes = 0;        ///< of the records together
  std::uint16_t lane = 0;         ///< which location of the destination process
  std::uint8_t team_colour = 0;   ///< the sender's number of cuts of the object's team, modulo 256
  std::uint8_t world_colour = 0;  ///< the same for the world

  static constexpr std::size_t wire_bytes = 20;

  /// Writes exactly wire_bytes.
  void encode(std::byte* to) const {
    std::uint64_t const word = tag.word();
    std::memcpy(to, &word, 8);
    std::memcpy(to + 8, &count, 4);
    std::memcpy(to + 12, &bytes, 4);
    std::memcpy(to + 16, &lane, 2);
    std::memcpy(to + 18, &team_colour, 1);
    std::memcpy(to + 19, &world_colour, 1);
  }

  /// Reads exactly wire_bytes; the caller has checked that they are there. Nothing else about them is trusted.
  static run_header decode(std::byte const* from) {
    run_header h;
    std::uint64_t word = 0;
    std::memcpy(&word, from, 8);
    h.tag = run_tag(word);
    std::memcpy(&h.count, from + 8, 4);
    std::memcpy(&h.bytes, from + 12, 4);
    std::memcpy(&h.lane, from + 16, 2);
    std::memcpy(&h.team_colour, from + 18, 1);
    std::memcpy(&h.world_colour, from + 19, 1);
    return h;
  }
};

}  // namespace sheaf
