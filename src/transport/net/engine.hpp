// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sheaf/transport/buffer.hpp"
#include "transport/host/block_pool.hpp"
#include "transport/net/packet.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::net {

/// A packet that has come. Whoever takes it may take its block.
struct incoming {
  std::uint32_t source = 0;
  buffer block;
};

/// One process's packets to and from all others over a wire, which keeps no order: packets are numbered, taken in their
/// turn whatever the order in which they end, and early ones are kept. What the wire refuses is kept and tried again.
/// There is no credit here: who sends counts that.
///
/// Used by one thread at a time. Costs nothing for processes that nothing goes to or comes from.
class engine {
 public:
  /// Both outlive it, and buffers that it gave do not; `l` is the same in all processes.
  engine(bootstrap& job, wire& line, limits const& l);
  engine(engine const&) = delete;
  engine& operator=(engine const&) = delete;
  ~engine();

  bootstrap& job;
  limits const sizes;

  /// An empty buffer; in front of its data is room for a header. Any thread may give it back.
  buffer take(std::size_t bytes) {
    std::span<std::byte> const block = pool_.take(bytes);
    return {&blocks_, block.data(), block.size()};
  }

  /// Sends a packet of up to `sizes.payload` bytes to another process; in front of its data is room for a header, which
  /// is written.
  void send(std::uint32_t dest, buffer&& packet) { form(dest, packet_kind::slices, std::move(packet)); }

  /// Lets a process know that this one is there; whether another one has.
  void call(std::uint32_t dest) { form(dest, packet_kind::call, take(1)); }
  [[nodiscard]] bool has_called(std::uint32_t source) const noexcept { return peers_[source].called; }

  /// Looks at the wire. Throws error on a damaged packet.
  void poll();

  /// The oldest packet that poll has found and nobody has taken; null: there is none. It stays until `pop`.
  [[nodiscard]] incoming* front() noexcept { return ready_.empty() ? nullptr : &ready_.front(); }
  void pop() { ready_.pop(); }

  /// Packets sent and received so far.
  [[nodiscard]] std::uint32_t packets() const noexcept { return static_cast<std::uint32_t>(sent_ + received_); }

  /// Whether all that was taken has left.
  [[nodiscard]] bool done() const noexcept { return in_flight_ == 0 && refused_.empty(); }

  /// Collective, after the last packet: returns when every process has called it and all that was sent has come. What
  /// still comes is dropped. Calls `rest(round)` between looks.
  template <class Rest>
  void finish(Rest rest) {
    for (std::uint32_t round = 0;; ++round) {
      for (poll(); front() != nullptr; pop()) {
      }
      if (summing_ || done()) {
        auto const under_way = job.sum(sent_ - received_);
        if (under_way == 0) return;
        summing_ = !under_way;
      }
      rest(round);
    }
  }

  /// Throws error, for what no process would send.
  [[noreturn]] void damaged(std::uint32_t source, char const* what) const;

 private:
  struct outgoing {
    buffer block;
    std::uint32_t dest = 0;
    packet_kind kind{};
  };
  /// One process as seen from this one.
  struct peer {
    std::uint32_t sequence = 0;  ///< of the next packet to it
    std::uint32_t expected = 0;  ///< sequence of the next packet from it
    std::uint32_t early = 0;     ///< packets kept that came before their turn
    bool called = false;
  };

  void form(std::uint32_t dest, packet_kind kind, buffer&& packet);
  bool start(outgoing& o);
  void try_again();

  void post_vacant();
  void accept(completion const& c);
  void take_early(std::uint32_t source);
  buffer copy_of(buffer const& packet);
  static std::uint64_t early_key(std::uint32_t source, std::uint32_t sequence) noexcept {
    return std::uint64_t{source} << 32 | sequence;
  }

  wire& wire_;
  host::open_pool pool_;
  host::way_back blocks_{pool_.returned()};
  std::vector<peer> peers_;
  std::int64_t sent_ = 0;  ///< packets, without calls
  std::int64_t received_ = 0;
  bool summing_ = false;
  std::vector<completion> done_;

  std::vector<outgoing> sends_;            ///< by slot
  std::vector<std::uint32_t> free_sends_;  ///< slots
  std::uint32_t in_flight_ = 0;
  ring_queue<outgoing> refused_;  ///< to be tried again, in turn

  std::vector<buffer> rooms_;          ///< by slot
  std::vector<std::uint32_t> vacant_;  ///< slots to be posted
  std::unordered_map<std::uint64_t, buffer> early_;
  ring_queue<incoming> ready_;
};

}  // namespace sheaf::net
