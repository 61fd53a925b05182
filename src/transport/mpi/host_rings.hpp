// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sheaf::mpi {

/// A short packet in memory that two processes share. `turn` is its position in its ring + 1, modulo 2^32, once the
/// rest is written; the sender writes the slot again only after the packet is taken.
struct alignas(64) host_slot {
  static constexpr std::size_t capacity = 240;

  std::atomic<std::uint32_t> turn;
  std::uint32_t bytes;     ///< of the packet: its header, which ends at a multiple of 8, and the payload
  std::uint32_t sequence;  ///< all 32 bits of it, of which the header has the lowest
  std::uint32_t unused;    ///< so that the payload is aligned
  std::byte packet[capacity];
};
static_assert(sizeof(host_slot) == 256);

/// What one process sends another of its host, in front of its slots. The line is the receiver's.
struct alignas(64) host_ring {
  std::atomic<std::uint32_t> taken;  ///< packets, modulo 2^32

  [[nodiscard]] host_slot* slots() noexcept { return reinterpret_cast<host_slot*>(this + 1); }
};
static_assert(sizeof(host_ring) == 64 && std::atomic<std::uint32_t>::is_always_lock_free);

/// The shape of the rings between all processes of a host: one for each ordered pair, by sender, then receiver.
struct ring_shape {
  std::uint32_t processes = 0;
  std::uint32_t slots = 0;  ///< of each ring; a power of two

  static constexpr std::uint32_t most_slots = 16;
  static constexpr std::uint32_t most_processes = 256;

  /// As many slots as stay within 16 MiB, from 1 to 16.
  static ring_shape of(std::uint32_t processes) noexcept {
    constexpr std::size_t most_bytes = std::size_t{16} << 20;
    std::uint32_t slots = most_slots;
    while (slots > 1 && std::size_t{processes} * processes * slots * sizeof(host_slot) > most_bytes) slots /= 2;
    return {processes, slots};
  }
  [[nodiscard]] std::size_t ring_bytes() const noexcept { return sizeof(host_ring) + slots * sizeof(host_slot); }
  [[nodiscard]] std::size_t bytes() const noexcept { return std::size_t{processes} * processes * ring_bytes(); }
};

/// A packet as its receiver finds it.
struct host_packet {
  std::byte const* data;
  std::size_t bytes;
  std::uint32_t sequence;
};

/// One process's ends of the rings between the processes of its host, beside the messages of MPI: a packet there takes
/// a few cache lines and no call. Which way a packet goes is its sender's choice, each time; a pair's packets keep
/// their order by their sequence numbers. Used by one thread at a time, like the wire.
class host_rings {
 public:
  static constexpr std::uint32_t elsewhere = UINT32_MAX;
  static constexpr std::size_t all = SIZE_MAX;

  /// No process shares memory with this one.
  host_rings() = default;
  host_rings(host_rings&&) = default;
  host_rings& operator=(host_rings&&) = default;
  host_rings(host_rings const&) = delete;  // the positions are those of one
  host_rings& operator=(host_rings const&) = delete;
  ~host_rings() = default;

  /// `places`: by rank, where each process stands on this host; `elsewhere`: not on it. `memory`, zero at first and
  /// aligned to a cache line, has shape.bytes(), and outlives it. Others may have shipped already.
  host_rings(std::byte* memory, ring_shape shape, std::span<std::uint32_t const> places, std::uint32_t self)
      : mask_(shape.slots - 1), out_(places.size()) {
    auto const ring = [&](std::uint32_t from, std::uint32_t to) {
      return reinterpret_cast<host_ring*>(memory + (std::size_t{from} * shape.processes + to) * shape.ring_bytes());
    };
    std::uint32_t const here = places[self];
    for (std::uint32_t rank = 0; rank < places.size(); ++rank) {
      if (rank == self || places[rank] == elsewhere) continue;
      host_ring* const to = ring(here, places[rank]);
      host_ring* const from = ring(places[rank], here);
      std::uint32_t const start = to->taken.load(std::memory_order_relaxed);
      out_[rank] = {to, start, start};
      in_.push_back({from, rank, from->taken.load(std::memory_order_relaxed)});
    }
  }

  [[nodiscard]] bool any() const noexcept { return !in_.empty(); }

  /// Where a packet of `bytes` to this process can be written, to be sent by `ship`; null: it must go by MPI.
  [[nodiscard]] std::byte* room(std::uint32_t dest, std::size_t bytes) noexcept {
    if (out_.empty() || bytes > host_slot::capacity) return nullptr;
    sender& s = out_[dest];
    if (s.to == nullptr) return nullptr;
    if (s.sent - s.known > mask_) {
      s.known = s.to->taken.load(std::memory_order_acquire);
      if (s.sent - s.known > mask_) return nullptr;
    }
    return s.to->slots()[s.sent & mask_].packet;
  }

  /// Sends what has been written there.
  void ship(std::uint32_t dest, std::size_t bytes, std::uint32_t sequence) noexcept {
    sender& s = out_[dest];
    host_slot& slot = s.to->slots()[s.sent & mask_];
    slot.bytes = static_cast<std::uint32_t>(bytes);
    slot.sequence = sequence;
    slot.turn.store(++s.sent, std::memory_order_release);
  }

  /// Offers the packets of the next `most` processes, each process's in the order sent, to `take(rank, host_packet)`,
  /// which says whether it took one; who does not is asked again in a later look. True: something was taken.
  template <class Take>
  bool look(std::size_t most, Take take) {
    bool any = false;
    for (std::size_t n = std::min(in_.size(), most); n != 0; --n) {
      receiver& r = in_[next_];
      if (++next_ == in_.size()) next_ = 0;
      for (std::uint32_t i = 0; i <= mask_; ++i) {
        host_slot const& slot = r.from->slots()[r.taken & mask_];
        if (slot.turn.load(std::memory_order_acquire) != r.taken + 1) break;
        if (!take(r.rank, host_packet{slot.packet, slot.bytes, slot.sequence})) break;
        any = true;
        r.from->taken.store(++r.taken, std::memory_order_release);
      }
    }
    return any;
  }

 private:
  struct sender {
    host_ring* to = nullptr;
    std::uint32_t sent = 0;
    std::uint32_t known = 0;  ///< of them, to be taken
  };
  struct receiver {
    host_ring* from;
    std::uint32_t rank;
    std::uint32_t taken;
  };

  std::uint32_t mask_ = 0;
  std::vector<sender> out_;  ///< by rank
  std::vector<receiver> in_;
  std::size_t next_ = 0;  ///< who is looked at next
};

}  // namespace sheaf::mpi
