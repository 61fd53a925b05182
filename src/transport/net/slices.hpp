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

/// One location's packets on their way: gathers its slices for all locations of a process in one packet. A slice that
/// fills a good part of one is sent in the buffer it was written into. Used by the location's thread.
class packer {
 public:
  /// `share`: bytes gathered at a time: beyond it the oldest packets are sent, but one. Counts them in `counts`.
  packer(gateway& gate, std::uint32_t lane, std::size_t share, endpoint_counts& counts);
  packer& operator=(packer&&) = delete;

  /// An empty buffer for a slice of up to `bytes`, and where its block comes back to.
  buffer acquire(std::size_t bytes) { return pool_.take(bytes); }
  [[nodiscard]] block_home& entry_home() noexcept { return pool_.home(); }

  /// The most bytes of a slice: it fills a packet.
  [[nodiscard]] std::size_t most() const noexcept { return whole_; }

  /// Appends a slice of `s.bytes`, up to most(), behind those that the process has been given.
  void add(std::uint32_t process, slice s, std::span<std::byte const> bytes);
  /// Appends a slice out of a buffer that `acquire` gave. One that goes alone may have more slices behind.
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

  struct pack {
    buffer block;  ///< begins with a slice's header; its size() is what is gathered
    bool listed = false;
  };

  std::byte* room(std::uint32_t process, slice s);
  void begin(std::uint32_t process);

  gateway& gate_;
  std::uint32_t const lane_;
  std::size_t const whole_;  ///< bytes of a full packet, less one slice's header
  host::open_pool pool_;
  host::way_back packets_{pool_.returned(), slice::header_bytes};
  std::size_t const share_;
  std::size_t gathered_ = 0;  ///< bytes of packets
  endpoint_counts& counts_;
  std::vector<pack> packs_;         ///< by process
  ring_queue<std::uint32_t> open_;  ///< processes that something may be gathered for, oldest first
};

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

/// What has come for one location from those of other processes, by source and class, and what it owes them for it.
class remote_inbox {
 public:
  /// `most`: bytes of an entry that does not come in parts.
  remote_inbox(std::uint32_t locations, std::size_t most) : origins_(locations), most_(most) {}

  void add(parcel&& p);

  [[nodiscard]] bool has(traffic kind) const noexcept { return !turns_[static_cast<std::size_t>(kind)].empty(); }

  /// The next arrival of the class; `has` must be true. Parts are put together in their turn, so that a pair has one
  /// such entry here, and what is behind it waits under credit. Each is to be consumed; `damaged` ends the job.
  enum class found : std::uint8_t { entry, part, damaged };
  [[nodiscard]] found deliver(traffic kind, arrival& out);

  /// Ends the use of an arrival. What it was in is the caller's; nothing, where its bytes were few.
  buffer consumed(std::uint32_t source, traffic kind);

  /// Gives back all that is here.
  void clear() noexcept { origins_.clear(); }

  /// What is owed to a location that something has come from.
  [[nodiscard]] debt& owed_to(std::uint32_t source, traffic kind) { return at(source, kind).owed; }

  /// Whether anything has ever come from there.
  [[nodiscard]] bool knows(std::uint32_t source) const noexcept { return origins_[source] != nullptr; }

 private:
  struct origin {
    ring_queue<parcel> ready;  ///< the front may be with the caller
    debt owed;
    assembly whole;  ///< of the parts at the front; complete while the last of them is with the caller
    std::byte room[parcel::small_bytes];  ///< bytes of the front, while it is, where they are few
  };
  origin& at(std::uint32_t source, traffic kind) { return origins_[source][static_cast<std::size_t>(kind)]; }

  std::vector<std::unique_ptr<origin[]>> origins_;  ///< by location and class
  std::size_t const most_;
  ring_queue<std::uint32_t> turns_[traffic_classes];  ///< sources with something ready that is not with the caller
};

}  // namespace sheaf::net
