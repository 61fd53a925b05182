// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/handler.hpp"

namespace sheaf {

/// The name of a migrating object: 8 bytes, never used again, valid on all members of the team.
class object_id {
 public:
  static constexpr std::uint32_t number_bits = 40;

  constexpr object_id() = default;
  constexpr object_id(std::uint32_t birth, std::uint64_t number)
      : word_(std::uint64_t{birth} << number_bits | number) {}

  /// The rank of the member that created it, which keeps track of it.
  [[nodiscard]] constexpr std::uint32_t birth() const { return static_cast<std::uint32_t>(word_ >> number_bits); }
  /// Counted there from 1.
  [[nodiscard]] constexpr std::uint64_t number() const { return word_ & ((std::uint64_t{1} << number_bits) - 1); }
  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  [[nodiscard]] static constexpr object_id of_word(std::uint64_t word) {
    object_id id;
    id.word_ = word;
    return id;
  }
  constexpr auto operator<=>(object_id const&) const = default;

 private:
  std::uint64_t word_ = 0;
};

namespace detail {

/// Numbers of the requests of one member to one object: they count modulo 2^31, and go on where it issues after the
/// object has forgotten it. A late number is told from a new one while they are less than 2^30 apart.
namespace request_number {
constexpr std::uint32_t starts = 1U << 31U;  ///< beside a number: all before it have been executed
constexpr std::uint32_t mask = starts - 1;
constexpr std::uint32_t after(std::uint32_t n) { return (n + 1) & mask; }
constexpr bool is_before(std::uint32_t a, std::uint32_t b) { return ((a - b) & mask) > mask / 2; }
}  // namespace request_number

/// What an object knows of one member that has called it; moves with the object.
struct caller_state {
  std::uint32_t rank = 0;
  std::uint32_t expected = 0;  ///< number of its next request
  std::uint32_t told = 0;      ///< the object's version when this member was last told where it is
  std::uint32_t asked = 0;     ///< 1: it was told `executed` of the last request
};

/// What members tell each other of an object. docs/design/migration.md has the protocol.
enum class notice_kind : std::uint32_t {
  is_at,       ///< it arrived at `rank` as of `number` moves, from `from` (which is `rank` where that is no news)
  home_knows,  ///< its home knows of a place as of `number` moves or more
  asks,        ///< has it executed all requests of `rank` before `number`? It follows the object
  executed,    ///< it has executed all requests of who hears it before `number`
  forgets,     ///< `rank` has read `executed` of `number`, and forgot it. It follows the object
  ended,       ///< it was destroyed
  arrives      ///< here it is, as of `number` moves, from `rank`, behind this
};

struct notice {
  object_id id;
  notice_kind kind = notice_kind::is_at;
  std::uint32_t rank = 0, number = 0, from = 0;
};

/// What is in front of each record of a table of migrating objects. One handler has all runs, so that requests to
/// different methods, and what the members tell each other, share runs.
struct routed_head {
  object_id id;
  std::uint32_t origin = 0;    ///< rank of the member that issued it, whoever forwards it
  std::uint32_t sequence = 0;  ///< its number, and request_number::starts where it starts
  std::uint32_t handler = 0;   ///< 0: a notice, of `origin` and `sequence` as its rank and number
  std::uint64_t bytes = 0;     ///< that follow

  static constexpr std::size_t wire_bytes = 24;

  [[nodiscard]] std::uint32_t number() const { return sequence & request_number::mask; }
  [[nodiscard]] bool starts() const { return (sequence & request_number::starts) != 0; }

  /// As it travels.
  using words = std::array<std::uint64_t, 3>;
  [[nodiscard]] words encoded() const {
    return {id.word(), origin | std::uint64_t{sequence} << 32U, handler | bytes << run_tag::handler_bits};
  }
  static routed_head decode(std::byte const* from) {
    std::uint64_t name = 0, who = 0, what = 0;  // three loads: an array would be copied first
    std::memcpy(&name, from, sizeof name);
    std::memcpy(&who, from + sizeof name, sizeof who);
    std::memcpy(&what, from + sizeof name + sizeof who, sizeof what);
    return {object_id::of_word(name), static_cast<std::uint32_t>(who), static_cast<std::uint32_t>(who >> 32U),
            static_cast<std::uint32_t>(what & ((1U << run_tag::handler_bits) - 1)), what >> run_tag::handler_bits};
  }
};

/// A record.
struct routed_record {
  routed_head head;
  handler_entry const* handler = nullptr;  ///< null: of a notice
  std::span<std::byte const> bytes;        ///< as they came, and as they are sent on

  [[nodiscard]] std::span<std::byte const> payload() const { return bytes.subspan(routed_head::wire_bytes); }
};

class migration_base;

/// One request to an object that is here.
struct found_request {
  migration_base& table;
  void* object;
  routed_record const& record;
};

}  // namespace detail

}  // namespace sheaf
