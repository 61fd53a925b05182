// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "runtime/call_history.hpp"
#include "runtime/collective_key.hpp"
#include "sheaf/base/location_id.hpp"

namespace sheaf::detail {

/// One message of a collective operation that the operation has not taken yet.
struct parcel {
  static constexpr std::size_t small_bytes = 40;

  collective_key key;
  location_id source{};
  std::size_t size = 0;
  std::byte small[small_bytes];
  std::vector<std::byte> large;  ///< holds the bytes when they are more than small_bytes

  [[nodiscard]] std::span<std::byte const> bytes() const {
    return size <= small_bytes ? std::span<std::byte const>(small, size) : std::span<std::byte const>(large);
  }
};

/// Messages of collectives that arrived before their operation asked for them, by team in the order of arrival: the
/// operation may not be entered here yet, and the team may not be known here yet. Parcels are recycled, so that a
/// barrier allocates nothing once it has been called a few times.
class parcel_shelf {
 public:
  parcel_shelf() = default;
  parcel_shelf(parcel_shelf const&) = delete;
  parcel_shelf& operator=(parcel_shelf const&) = delete;

  /// Keeps a message, or drops it when its operation is over here. False: its mark is not that of the operation here,
  /// and it is dropped.
  [[nodiscard]] bool put(collective_key const& key, location_id source, std::span<std::byte const> bytes);

  /// The oldest message with this key, from `source` where that is not null; the caller gives it back with `recycle`.
  /// Null: there is none.
  parcel* take(collective_key const& key, location_id const* source = nullptr);
  void recycle(parcel* p);

  /// Whether a message of this team, sequence and wave is here, whatever its step.
  [[nodiscard]] bool any_of_wave(collective_key const& key) const;

  /// Drops the messages of this operation and step whose wave is this one or an earlier one.
  void drop_upto(collective_key const& key);

  /// Brackets an operation. Messages for older operations of the team are dropped once none of them is open. Returns
  /// the call's mark. `differs`: the sender of a message that has another one, if any.
  std::uint32_t open(collective_call const& call, std::uint16_t sequence, location_id const*& differs);
  void close(std::uint32_t team, std::uint16_t next_sequence);

  /// The team is over. What is here belongs to the next one that has its number.
  void forget_calls(std::uint32_t team);

  /// The operations begun on a team; null: none.
  [[nodiscard]] call_history* history(std::uint32_t team);

 private:
  using parcels = std::list<parcel>;
  struct list {
    parcels here;
    std::uint32_t open = 0;
    std::uint16_t oldest = 0;  // sequences before this one are over
    std::unique_ptr<call_history> calls;
  };

  list& of(std::uint32_t team);
  template <class Old>
  void drop(list& l, Old old);
  void recycle(parcels& from, parcels::iterator p);

  std::vector<list> lists_;  // by team
  parcels taken_, free_;
};

}  // namespace sheaf::detail
