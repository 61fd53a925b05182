// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sheaf/transport/endpoint.hpp"
#include "transport/net/credit.hpp"
#include "transport/net/gateway.hpp"

namespace sheaf::net {

/// What has come for one location from those of other processes, by source and class; and what it owes them for what it
/// has consumed.
class remote_inbox {
 public:
  explicit remote_inbox(std::uint32_t locations) : origins_(locations) {}

  void add(parcel const& p);

  [[nodiscard]] bool has(traffic kind) const noexcept { return !turns_[static_cast<std::size_t>(kind)].empty(); }

  /// The next arrival of the class; `has` must be true.
  void deliver(traffic kind, arrival& out);

  /// Ends the use of an arrival. The packet that it was in, if any, is to be released.
  [[nodiscard]] shared_packet* consumed(std::uint32_t source, traffic kind);

  /// What is owed to a location that something has come from.
  [[nodiscard]] std::span<debt, traffic_classes> debts_to(std::uint32_t source) { return origins_[source]->owed; }

  /// Whether anything has ever come from there.
  [[nodiscard]] bool knows(std::uint32_t source) const noexcept { return origins_[source] != nullptr; }

 private:
  struct origin {
    ring_queue<parcel> ready[traffic_classes];  ///< the front may be with the caller
    debt owed[traffic_classes];
    std::byte room[traffic_classes][parcel::small_bytes];  ///< bytes of the front, while it is, where they are few
  };

  std::vector<std::unique_ptr<origin>> origins_;  ///< by location
  ring_queue<std::uint32_t>
      turns_[traffic_classes];  ///< by class: sources with something ready that is not with the caller
};

}  // namespace sheaf::net
