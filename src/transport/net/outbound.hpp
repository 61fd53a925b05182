// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sheaf/transport/endpoint.hpp"
#include "transport/net/block_pool.hpp"
#include "transport/net/packet.hpp"
#include "transport/net/peer.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::net {

/// The sending half: credits, packets, sends under way. Entries that fit go out at once as they are; larger ones are
/// cut and copied part by part, a few parts ahead of the wire, and what follows them in their lane waits behind them.
class outbound {
 public:
  outbound(wire& line, block_pool& pool, limits const& l, std::vector<peer>& peers)
      : wire_(line), pool_(pool), limits_(l), peers_(peers), parts_ahead_(parts_ahead(l.payload)) {}

  /// Sends an entry whose credit is taken.
  void send(std::uint32_t dest, traffic kind, buffer&& bytes, bool counts_window);

  /// Sends an inline entry whose credit is taken; copies it.
  void send_inline(std::uint32_t dest, traffic kind, std::span<std::byte const> bytes);

  /// Tells `dest` what has been consumed in a packet of its own.
  void acknowledge(std::uint32_t dest);

  /// Finds ended sends and goes on with entries that are cut.
  void progress();

  /// Packets sent so far.
  [[nodiscard]] std::uint32_t packets() const noexcept { return packets_; }
  /// Parts of entries that were cut.
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }

  /// Whether all that was taken has left.
  [[nodiscard]] bool done() const noexcept { return in_flight_ == 0 && cut_.empty(); }
  [[nodiscard]] bool cutting() const noexcept { return !cut_.empty(); }

 private:
  struct lane_name {
    std::uint32_t dest = 0;
    traffic kind{};
  };
  struct sending {
    buffer small;               ///< the slot's own, for inline entries
    buffer block;               ///< the one under way, if it is not that
    send_lane* lane = nullptr;  ///< null: it is an acknowledgement
    bool is_part = false;
  };

  /// How many parts of one lane are under way at once: about 256 KiB, which are copies.
  static std::uint32_t parts_ahead(std::size_t payload) noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::size_t>((std::size_t{256} << 10) / payload, 4, 64));
  }

  void send_whole(lane_name to, buffer&& bytes, bool counts_window);
  void send_part(lane_name to);
  bool go_on(lane_name to);
  void start(std::uint32_t dest, packet_header h, buffer&& block);
  std::uint32_t vacant_slot();
  void launch(std::uint32_t slot, std::uint32_t dest, packet_header h, std::span<std::byte> payload);
  void end(std::uint32_t slot);
  void reclaim();

  wire& wire_;
  block_pool& pool_;
  limits const& limits_;
  std::vector<peer>& peers_;
  std::uint32_t const parts_ahead_;
  std::vector<sending> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t packets_ = 0;
  std::uint64_t parts_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t reclaim_at_ = 16;
  ring_queue<lane_name> cut_;  ///< lanes with something waiting
};

}  // namespace sheaf::net
