// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sheaf/transport/buffer.hpp"
#include "transport/net/credit.hpp"
#include "transport/net/ring_queue.hpp"

namespace sheaf::net {

/// An entry on its way out.
struct entry {
  buffer bytes;
  bool counts_window = false;
};

/// An entry that has come: in a block of its own, or still in the room of the receive that it came with.
struct ready_entry {
  static constexpr std::uint32_t no_slot = UINT32_MAX;

  buffer block;
  std::byte const* data = nullptr;
  std::size_t size = 0;
  std::uint32_t slot = no_slot;  ///< of that receive
  bool counts_window = false;
};

/// What goes to one process in one class.
struct send_lane : credit {
  std::uint32_t sequence = 0;  ///< of the next packet
  ring_queue<entry> waiting;   ///< taken and not all under way: an entry that is cut, and all behind it
  std::size_t offset = 0;      ///< how much of waiting.front() is under way
  std::uint32_t parts_in_flight = 0;
};

/// What comes from one process in one class.
struct receive_lane : debt {
  std::uint32_t expected = 0;      ///< sequence of the next packet
  std::uint32_t early = 0;         ///< packets kept that came before their turn
  ring_queue<ready_entry> ready;   ///< the front may be with the caller
  buffer assembly;                 ///< an entry that comes in parts; its size() grows
  std::size_t assembly_bytes = 0;  ///< what it will be; 0: no part is awaited
};

/// One process as seen from this one.
struct peer {
  send_lane out[2];
  receive_lane in[2];
  std::uint32_t calls = 0;   ///< acknowledgements alone that came from it
  bool owed_listed = false;  ///< in the list of those to be acknowledged when idle
};

}  // namespace sheaf::net
