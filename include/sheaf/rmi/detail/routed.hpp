// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sheaf/message/arguments_codec.hpp"

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

/// In front of each request to a migrating object.
struct routed_head {
  object_id id;
  std::uint32_t origin = 0;    ///< rank of the member that issued it, whoever forwards it
  std::uint32_t sequence = 0;  ///< its number, and request_number::starts where it starts

  [[nodiscard]] std::uint32_t number() const { return sequence & request_number::mask; }
  [[nodiscard]] bool starts() const { return (sequence & request_number::starts) != 0; }
};

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
  ended        ///< it was destroyed
};

struct notice {
  object_id id;
  notice_kind kind = notice_kind::is_at;
  std::uint32_t rank = 0, number = 0, from = 0;
};

/// The head as it travels, and the bytes of what follows.
using routed_envelope = arguments_codec<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>;

class migration_base;

/// Executes one request on an object that is here.
using routed_function = void (*)(migration_base& table, void* object, routed_head const& head, std::string_view name,
                                 std::span<std::byte const> payload);

/// A record of a request to a migrating object.
struct routed_record {
  static constexpr std::size_t head_bytes = 24;

  std::uint32_t handler = 0;
  routed_function execute = nullptr;
  routed_head head;
  std::span<std::byte const> bytes;  ///< as they came, and as they are sent on

  [[nodiscard]] std::span<std::byte const> payload() const { return bytes.subspan(head_bytes); }
};

}  // namespace detail

}  // namespace sheaf
