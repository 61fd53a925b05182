// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf {

/// In which scope requests are sent: one of a team's numbered scopes, which has a termination detector of its own
/// (scope.hpp), or none. Where the scope counts requests by peer, also their generation: that of what a handler sends
/// is one higher than the handler's own. A scope of nesting depth d begins at `deepest` − d, so that its last requests
/// are of the deepest generation, whatever d is. Each hop of a forwarded request (in a broadcast's tree, or after a
/// moved object) adds one generation.
class run_scope {
 public:
  static constexpr std::uint32_t most = (1U << 10U) - 1;  ///< number of a scope; 0 is none
  static constexpr std::uint32_t deepest = 13;            ///< generation of the last requests of limited depth
  static constexpr std::uint32_t too_deep = 14;           ///< of what they must not send
  static constexpr std::uint32_t any_depth = 15;          ///< the only generation where depth has no limit

  constexpr run_scope() = default;
  constexpr explicit run_scope(std::uint64_t word) : word_(word) {}
  constexpr run_scope(std::uint32_t team, std::uint32_t number, std::uint32_t generation)
      : word_(number == 0 ? 0 : std::uint64_t{team} << 32U | generation << 16U | number) {}

  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  [[nodiscard]] constexpr std::uint32_t team() const { return static_cast<std::uint32_t>(word_ >> 32U); }
  [[nodiscard]] constexpr std::uint32_t number() const { return word_ & most; }
  /// 0: requests are not counted by peer.
  [[nodiscard]] constexpr std::uint32_t generation() const { return word_ >> 16U & any_depth; }

  /// This scope as a program in an epoch enters it: its typed messages belong to the scope, its other requests do not.
  [[nodiscard]] constexpr run_scope of_messages() const { return run_scope(word_ | for_messages); }
  [[nodiscard]] constexpr bool is_of_messages() const { return (word_ & for_messages) != 0; }

  /// The scope of what the handler of a request in this scope sends, whatever it is.
  [[nodiscard]] constexpr run_scope of_handler() const {
    bool const counts_on = generation() != 0 && generation() <= deepest;
    return run_scope((word_ & ~for_messages) + (std::uint64_t{counts_on} << 16U));
  }

  constexpr bool operator==(run_scope const&) const = default;

 private:
  static constexpr std::uint64_t for_messages = 1U << 20U;

  std::uint64_t word_ = 0;
};

/// What every record of a run shares: which handler, on which object of which team. One word, so that the sender's test
/// whether a request continues the open run is one comparison. docs/wire-format.md has the layout.
class run_tag {
 public:
  static constexpr std::uint32_t handler_bits = 19;
  static constexpr std::uint32_t lone_bit = 1U << handler_bits;  ///< on the wire only: see run_header
  static constexpr std::uint32_t object_bits = 24;
  static constexpr std::uint32_t team_bits = 20;
  static constexpr std::uint32_t generation_bits = 12;
  /// Tags of published objects have no team: from this number on it is a generation.
  static constexpr std::uint32_t teams = (1U << team_bits) - (1U << generation_bits);

  constexpr run_tag() = default;
  constexpr explicit run_tag(std::uint64_t word) : word_(word) {}
  constexpr run_tag(std::uint32_t handler, std::uint32_t object, std::uint32_t team)
      : word_(handler | std::uint64_t{object} << object_from | std::uint64_t{team} << team_from) {}

  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  [[nodiscard]] constexpr std::uint32_t handler() const { return word_ & ((1U << handler_bits) - 1); }
  [[nodiscard]] constexpr std::uint32_t object() const { return word_ >> object_from & ((1U << object_bits) - 1); }
  [[nodiscard]] constexpr std::uint32_t team() const { return static_cast<std::uint32_t>(word_ >> team_from); }

  /// The tag of answers to consecutive questions of one run, from this question on.
  [[nodiscard]] static constexpr run_tag of_answers(std::uint32_t handler, std::uint64_t question) {
    return run_tag(handler | question << object_from);
  }
  [[nodiscard]] constexpr std::uint64_t question() const { return word_ >> object_from; }

  /// The tag of a published object: its place at the owner, and how often the place had been used before.
  [[nodiscard]] static constexpr run_tag of_published(std::uint32_t place, std::uint32_t generation) {
    return {0, place, teams + generation};
  }
  [[nodiscard]] constexpr bool is_published() const { return team() >= teams; }
  [[nodiscard]] constexpr std::uint32_t generation() const { return team() - teams; }

  /// The team that counts the requests: the object's, or the world.
  [[nodiscard]] constexpr std::uint32_t counting_team() const { return is_published() ? 0 : team(); }

  /// This tag with a handler; only for a tag without one.
  [[nodiscard]] constexpr run_tag with_handler(std::uint64_t handler) const { return run_tag(word_ | handler); }

  constexpr bool operator==(run_tag const&) const = default;

 private:
  static constexpr std::uint32_t object_from = handler_bits + 1;
  static constexpr std::uint32_t team_from = object_from + object_bits;

  std::uint64_t word_ = 0;  // 0 is no tag: handler numbers start at 1
};

/// The header in front of a run's packed records. A lone record, which ends its entry, has a short one without scope,
/// count and bytes: they are 0, 1, and what is left of the entry. `run_tag::lone_bit` in the tag tells which it is.
struct run_header {
  run_tag tag;
  std::uint8_t team_colour = 0;   ///< the sender's number of cuts of the object's team, modulo 256
  std::uint8_t world_colour = 0;  ///< the same for the world
  std::uint16_t scope = 0;        ///< its number; from bit 10 on its colour (modulo 4), from bit 12 on the generation
  std::uint32_t count = 0;        ///< records in the run, at least 1
  std::size_t bytes = 0;          ///< of the records together

  /// A lone record that is larger ends its entry, and its header says 0 bytes.
  static constexpr std::size_t most_bytes = UINT32_MAX;
  static constexpr std::size_t wire_bytes = 20;
  static constexpr std::size_t lone_bytes = 10;
  /// A run of questions has its number at the sender in front of its records.
  static constexpr std::size_t questions_bytes = 4;

  /// Writes exactly wire_bytes.
  void encode(std::byte* to) const {
    put_common(to, tag.word());
    std::memcpy(to + 10, &scope, 2);
    encode_sizes(to, count, bytes);
  }

  /// Writes exactly lone_bytes, in two stores: whoever copies them reads a rest of 2 bytes and a word.
  void encode_lone(std::byte* to) const {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t const word = tag.word() | run_tag::lone_bit;
    auto const first = static_cast<std::uint16_t>(word);
    std::uint64_t const rest = word >> 16U | std::uint64_t{team_colour} << 48U | std::uint64_t{world_colour} << 56U;
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + sizeof first, &rest, sizeof rest);
  }

  /// Changes the colours and the scope of an encoded header, which is a long one.
  void encode_colours(std::byte* header) const {
    put_colours(header);
    std::memcpy(header + 10, &scope, 2);
  }

  /// Changes count and bytes of an encoded header.
  static void encode_sizes(std::byte* header, std::uint32_t count, std::size_t bytes) {
    auto const short_bytes = static_cast<std::uint32_t>(bytes <= most_bytes ? bytes : 0);
    std::memcpy(header + 12, &count, 4);
    std::memcpy(header + 16, &short_bytes, 4);
  }

  void set_scope(run_scope in, std::uint8_t colour) {
    scope = static_cast<std::uint16_t>(in.number() | (colour & 3U) << 10U | in.generation() << 12U);
  }
  [[nodiscard]] run_scope in_scope() const {
    return {tag.counting_team(), scope & run_scope::most, static_cast<std::uint32_t>(scope >> 12U)};
  }
  /// The sender's number of cuts of the scope, modulo 4.
  [[nodiscard]] std::uint8_t scope_colour() const { return scope >> 10U & 3U; }

  /// Reads exactly wire_bytes of a long one.
  static run_header decode(std::byte const* from) {
    run_header h = get_common(from);
    std::uint32_t bytes = 0;
    std::memcpy(&h.scope, from + 10, 2);
    std::memcpy(&h.count, from + 12, 4);
    std::memcpy(&bytes, from + 16, 4);
    h.bytes = bytes;
    return h;
  }

  /// Reads the header, long or short, at the beginning of what is left of an entry; returns how many bytes it takes,
  /// and 0 where it is cut off. Nothing else about it is trusted.
  static std::size_t read(std::byte const* from, std::size_t left, run_header& to) {
    if (left < lone_bytes) return 0;
    if ((get_tag(from) & run_tag::lone_bit) == 0) {
      if (left < wire_bytes) return 0;
      to = decode(from);
      bool const is_large = to.bytes == 0 && to.count == 1 && left - wire_bytes > most_bytes;
      if (is_large) to.bytes = left - wire_bytes;
      return wire_bytes;
    }
    to = get_common(from);
    to.count = 1;
    to.bytes = left - lone_bytes;
    return lone_bytes;
  }

 private:
  void put_common(std::byte* to, std::uint64_t word) const {
    std::memcpy(to, &word, 8);
    put_colours(to);
  }
  void put_colours(std::byte* to) const {
    std::memcpy(to + 8, &team_colour, 1);
    std::memcpy(to + 9, &world_colour, 1);
  }
  static std::uint64_t get_tag(std::byte const* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, 8);
    return word;
  }
  static run_header get_common(std::byte const* from) {
    run_header h;
    h.tag = run_tag(get_tag(from) & ~std::uint64_t{run_tag::lone_bit});
    std::memcpy(&h.team_colour, from + 8, 1);
    std::memcpy(&h.world_colour, from + 9, 1);
    return h;
  }
};

}  // namespace sheaf
