// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sheaf/transport/endpoint.hpp"
#include "transport/net/outbound.hpp"

namespace sheaf::net {

/// The receiving half: a fixed number of receives from any source is kept posted; whatever the order in which they end,
/// packets are taken by sequence number, early ones are kept, parts put together, and entries handed out in turn.
///
/// A whole entry that comes in its turn is handed up in the room it was received into, which is posted again when it is
/// consumed; but half of the receives stay posted. Other packets take the room with them, unless they are so small that
/// copying wastes less.
class inbound {
 public:
  inbound(wire& line, block_pool& pool, limits const& l, std::vector<peer>& peers, outbound& out);
  inbound(inbound const&) = delete;
  inbound& operator=(inbound const&) = delete;
  ~inbound();

  /// Looks at the wire. Throws error on a damaged packet.
  void poll();

  [[nodiscard]] bool has(wanted which) const noexcept {
    return !turns_[1].empty() || (which == wanted::all && !turns_[0].empty());
  }

  /// Packets received so far.
  [[nodiscard]] std::uint32_t packets() const noexcept { return packets_; }
  /// Parts of entries that were cut.
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }

  /// As endpoint::receive, of what has been found by poll.
  bool deliver(wanted which, arrival& out);

  /// As endpoint::consumed; acknowledges where half of the credits are owed.
  void consumed(std::uint32_t source, traffic kind);

  /// The same, and its bytes stay with the caller.
  buffer take(std::uint32_t source, traffic kind);

  /// Acknowledges all that is owed to anybody.
  void acknowledge_all();

 private:
  struct packet {
    packet_header header;
    buffer bytes;
  };

  void post_vacant();
  void accept(completion c);
  void take_whole(completion c, std::size_t kind, std::size_t payload, bool counts_window);
  void withdraw(std::uint32_t slot);
  void drop_withdrawn();
  void unpack(std::uint32_t slot, std::size_t payload, buffer& bytes);
  void settle(std::uint32_t source, packet_header const& h);
  void keep_early(std::uint32_t source, std::size_t kind, packet p);
  void take_in_order(std::uint32_t source, std::size_t kind, packet p);
  void take_early(std::uint32_t source, std::size_t kind);
  void add_part(std::uint32_t source, std::size_t kind, packet const& p);
  void make_room(receive_lane& lane, std::size_t more);
  ready_entry& add_ready(std::uint32_t source, std::size_t kind, bool counts_window);
  void add_ready(std::uint32_t source, std::size_t kind, bool counts_window, buffer& bytes);
  void list_owed(std::uint32_t source);
  [[noreturn]] void damaged(std::uint32_t source, char const* what) const;
  static std::uint64_t early_key(std::uint32_t source, std::size_t kind, std::uint32_t sequence) noexcept {
    return (std::uint64_t{source} << 33) | (std::uint64_t{kind} << 32) | sequence;
  }

  wire& wire_;
  block_pool& pool_;
  limits const& limits_;
  std::vector<peer>& peers_;
  outbound& out_;
  std::uint32_t const self_;
  std::vector<buffer> rooms_;  ///< by slot
  /// A receive that was posted; numbered from 1.
  struct posting {
    std::uint32_t slot = 0;
    std::uint64_t number = 0;
  };
  ring_queue<posting> posted_;         ///< the oldest first; its front is a receive that has not ended
  std::vector<std::uint64_t> number_;  ///< by slot: of the receive that is posted; 0: none is
  std::uint64_t postings_ = 0;
  std::uint32_t overtaken_ = 0;        ///< ended ones in posted_: receives that overtook others
  std::vector<std::uint32_t> vacant_;  ///< slots to be posted again
  std::vector<completion> done_;
  std::uint32_t lent_ = 0;  ///< rooms with entries that are not consumed
  std::uint32_t packets_ = 0;
  std::uint64_t parts_ = 0;
  std::uint32_t polls_ = 0;
  std::uint32_t look_wide_ = 0;  ///< polls that still look at all receives, since that was worth while
  std::unordered_map<std::uint64_t, packet> early_;
  ring_queue<std::uint32_t> turns_[2];  ///< by class: sources with something ready that is not with the caller
  ring_queue<std::uint32_t> owed_;      ///< sources to be acknowledged when idle
};

}  // namespace sheaf::net
