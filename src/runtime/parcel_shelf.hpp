// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sheaf/message/location.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"

namespace sheaf::detail {

/// Members of a team called different collective operations. Ends the job.
struct mismatched_calls : usage_error, ends_job {
  using usage_error::usage_error;
};

/// What one location tells another of one call.
struct told_call {
  std::uint16_t sequence = 0;
  std::uint32_t mark = 0;
  std::string text;
};

/// The collective operations that one location has begun on one team. Each has a mark, made of what it says and of all
/// before it, which travels with its messages. A message with another mark is taken by nobody: its receiver tells the
/// sender what it has called, and the sender finds the first call that differs, and ends the job with both.
class call_history {
 public:
  /// Members are apart by fewer operations than are kept.
  static constexpr std::size_t kept = 128;

  /// `first`: the number of the team's first operation.
  explicit call_history(std::uint16_t first = 0) : count_(first), first_(first) {}

  std::uint32_t add(collective_call const& call);

  /// Whether a message of an operation has the mark that it has here. True for one that is not kept.
  [[nodiscard]] bool agrees(std::uint16_t sequence, std::uint32_t mark) const {
    entry const* const own = find(sequence);
    return own == nullptr || own->mark == mark;
  }

  /// Tells the sender of a message whose mark is another one; once, as that ends the job.
  void tell(location& here, std::uint32_t team, location_id other);

  /// What `other` has called, which differs. Throws mismatched_calls, with the first calls that do.
  [[noreturn]] void compare(location_id here, std::uint32_t team, location_id other,
                            std::vector<told_call> const& theirs) const;

 private:
  struct entry {
    collective_said said;
    call_site from;
    std::optional<std::uint64_t> root;
    std::uint32_t scope;
    detection how;
    std::uint32_t mark;
  };
  [[nodiscard]] entry const* find(std::uint16_t sequence) const;
  static std::string text(entry const& call);

  std::vector<entry> recent_;  // a ring
  std::uint32_t count_;        // the number of the next one
  std::uint32_t const first_;
  std::uint64_t state_ = 0;  // what marks are made of
  bool told_ = false;
};

/// What a message of a collective operation is for, as it travels (docs/wire-format.md). Members number the team's
/// operations alike; an operation has waves (only a fence has several), a wave has steps.
struct collective_key {
  std::uint32_t team : 20 = 0;
  std::uint32_t zero : 4 = 0;
  std::uint32_t step : 8 = 0;
  std::uint16_t sequence = 0;  ///< members are never apart by as many operations as this can tell
  std::uint16_t wave = 0;
  std::uint32_t mark = 0;  ///< of the call and those before it (call_history)

  bool operator==(collective_key const&) const = default;
};
static_assert(sizeof(collective_key) == 12);

/// One message of a collective operation that the operation has not taken yet.
struct parcel {
  collective_key key;
  location_id source{};
  std::vector<std::byte> bytes;
};

/// Messages of collectives that have come before they were asked for, by team in the order of arrival; neither
/// operation nor team need be known here. Parcels are recycled, so that a barrier soon allocates nothing.
class parcel_shelf {
 public:
  parcel_shelf& operator=(parcel_shelf&&) = delete;

  /// Keeps a message, or drops it when its operation is over here. False, and dropped: it has another mark.
  [[nodiscard]] bool put(collective_key const& key, location_id source, std::span<std::byte const> bytes);

  // Of an operation that is open:

  /// Calls `use` with the oldest message with this key (from `source` if not null), and drops it. False: none is here.
  bool take(collective_key const& key, location_id const* source, auto use) {
    parcels one = taken(key, source);
    if (one.empty()) return false;
    use(one.front());
    recycle(one, one.begin());
    return true;
  }

  /// Whether a message of this team, sequence and wave is here, whatever its step.
  [[nodiscard]] bool any_of_wave(collective_key const& key) const;

  /// Drops the messages of this operation and step whose wave is this one or an earlier one.
  void drop_upto(collective_key const& key);

  /// Brackets an operation; returns its mark. `differs`: the sender of a message with another one, if any.
  std::uint32_t open(collective_call const& call, std::uint16_t sequence, location_id const*& differs);
  void close(std::uint32_t team, std::uint16_t sequence, std::uint16_t next_sequence);

  /// The team is over. What is here belongs to the next one that has its number.
  void forget_calls(std::uint32_t team) { lists_[team].calls.reset(); }

  /// The operations begun on a team; null: none.
  [[nodiscard]] call_history* history(std::uint32_t team) {
    return team < lists_.size() ? lists_[team].calls.get() : nullptr;
  }

 private:
  using parcels = std::list<parcel>;
  struct list {
    parcels here;
    std::vector<std::uint16_t> open;  // sequences, in their order
    std::uint16_t oldest = 0;         // those before this one are over
    std::unique_ptr<call_history> calls;
  };

  list& of(std::uint32_t team);
  parcels taken(collective_key const& key, location_id const* source);
  void drop(list& l, auto old);
  void recycle(parcels& from, parcels::iterator p);

  std::vector<list> lists_;  // by team
  parcels free_;
};

}  // namespace sheaf::detail
