// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/transport/endpoint.hpp"
#include "transport/net/gateway.hpp"
#include "transport/net/packet.hpp"
#include "transport/net/queues.hpp"

namespace sheaf::net {

/// One location's packets on their way to other processes: gathers its slices for all locations of a process in one
/// packet. A slice that fills a good part of a packet is sent as it is, in the buffer it was written into.
///
/// Used by the location's thread; blocks may come back from any thread.
class packer {
 public:
  /// `share`: bytes of packets that are gathered at a time: where one more would pass it, the oldest are sent; one
  /// always is. Counts them in `counts`.
  packer(gateway& gate, std::uint32_t lane, std::size_t share, endpoint_counts& counts);
  packer(packer const&) = delete;
  packer& operator=(packer const&) = delete;
  ~packer();

  /// An empty buffer for a slice of up to `bytes`, and where its block comes back to.
  buffer acquire(std::size_t bytes);
  [[nodiscard]] block_home& entry_home() noexcept { return entries_; }

  /// The most bytes of a slice: it fills a packet.
  [[nodiscard]] std::size_t most() const noexcept { return whole_; }

  /// Appends a slice of `s.bytes`, up to most(), behind those that the process has been given.
  void add(std::uint32_t process, slice s, std::span<std::byte const> bytes);
  /// Appends a slice, whose bytes are taken out of a buffer that `acquire` gave. One that goes alone may have more
  /// slices behind.
  void add(std::uint32_t process, slice s, buffer&& bytes);
  /// Whether a buffer with a slice of so many bytes is sent as it is.
  [[nodiscard]] bool goes_alone(std::size_t bytes) const noexcept { return bytes > whole_ / 4; }

  /// Sends what is gathered for a process, or for all.
  void ship(std::uint32_t process);
  void ship_all();
  [[nodiscard]] bool empty() const noexcept { return open_.empty(); }
  [[nodiscard]] bool empty(std::uint32_t process) const noexcept { return packs_[process].block.data() == nullptr; }

 private:
  /// In front of what a block holds are the header of a packet and that of a slice.
  static constexpr std::size_t front = header_bytes + slice::header_bytes;

  /// Where blocks come back to; `head` is how far in front of what a block holds the pieces begin that are given away.
  class home final : public block_home {
   public:
    home(packer& owner, std::size_t head) : owner_(owner), head_(head) {}
    void give_back(std::byte* data, std::size_t capacity) noexcept override {
      owner_.returned_.push(::new (data + head_) host::returned_block{nullptr, capacity - head_});
    }

   private:
    packer& owner_;
    std::size_t head_;
  };

  struct pack {
    buffer block;  ///< begins with a slice's header; its size() is what is gathered
    bool listed = false;
  };

  std::byte* room(std::uint32_t process, slice s);
  void begin(std::uint32_t process);
  void reclaim();
  std::span<std::byte> take(std::size_t bytes);

  gateway& gate_;
  std::uint32_t const lane_;
  std::size_t const whole_;  ///< bytes of a full packet, less one slice's header
  host::block_pool pool_;
  home entries_{*this, 0};
  home packets_{*this, slice::header_bytes};
  host::return_stack<host::returned_block> returned_;
  std::size_t const share_;
  std::size_t gathered_ = 0;  ///< bytes of packets
  endpoint_counts& counts_;
  std::vector<pack> packs_;         ///< by process
  ring_queue<std::uint32_t> open_;  ///< processes that something may be gathered for, oldest first
};

}  // namespace sheaf::net
