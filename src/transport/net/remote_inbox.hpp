// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/transport/buffer.hpp"
#include "sheaf/transport/endpoint.hpp"
#include "transport/net/gateway.hpp"
#include "transport/net/packet.hpp"

namespace sheaf::net {

/// An entry that comes in parts, put together in memory that only this process has.
class assembly {
 public:
  /// The first part begins with the size of all. Takes memory for no more than has come, up to 64 MiB apart. False:
  /// it is no part of this entry, or of any that would be cut into parts of up to `most` bytes.
  [[nodiscard]] bool add(std::span<std::byte const> part, std::size_t most);

  [[nodiscard]] bool begun() const noexcept { return total_ != 0; }
  [[nodiscard]] bool complete() const noexcept { return begun() && bytes_.size() == total_; }
  [[nodiscard]] std::span<std::byte const> bytes() const noexcept { return {bytes_.data(), bytes_.size()}; }

  /// The end of it.
  buffer take() noexcept {
    total_ = 0;
    return std::move(bytes_);
  }

 private:
  void make_room(std::size_t more);

  buffer bytes_;           ///< its size() grows
  std::size_t total_ = 0;  ///< what it will be
};

/// What has come for one location from those of other processes, by source and class; and what it owes them for what it
/// has consumed.
class remote_inbox {
 public:
  /// `most`: bytes of an entry that does not come in parts.
  remote_inbox(std::uint32_t locations, std::size_t most) : origins_(locations), most_(most) {}

  void add(parcel const& p);

  [[nodiscard]] bool has(traffic kind) const noexcept { return !turns_[static_cast<std::size_t>(kind)].empty(); }

  /// The next arrival of the class; `has` must be true. Parts of an entry are put together in its turn, when all before
  /// it are consumed, so that a pair has one such entry at a time here, and what is behind it waits under credit. Each
  /// is to be consumed: `part` is no arrival, and `damaged` ends the job.
  enum class found : std::uint8_t { entry, part, damaged };
  [[nodiscard]] found deliver(traffic kind, arrival& out);

  /// Ends the use of an arrival. The packet that it was in, if any, is to be released. What came in parts is in
  /// `whole`.
  [[nodiscard]] shared_packet* consumed(std::uint32_t source, traffic kind, buffer& whole);

  /// What is owed to a location that something has come from.
  [[nodiscard]] std::span<debt, traffic_classes> debts_to(std::uint32_t source) { return origins_[source]->owed; }

  /// Whether anything has ever come from there.
  [[nodiscard]] bool knows(std::uint32_t source) const noexcept { return origins_[source] != nullptr; }

 private:
  struct origin {
    ring_queue<parcel> ready[traffic_classes];  ///< the front may be with the caller
    debt owed[traffic_classes];
    assembly whole[traffic_classes];  ///< of the parts at the front; complete while the last of them is with the caller
    std::byte room[traffic_classes][parcel::small_bytes];  ///< bytes of the front, while it is, where they are few
  };

  std::vector<std::unique_ptr<origin>> origins_;  ///< by location
  std::size_t const most_;
  ring_queue<std::uint32_t>
      turns_[traffic_classes];  ///< by class: sources with something ready that is not with the caller
};

}  // namespace sheaf::net
