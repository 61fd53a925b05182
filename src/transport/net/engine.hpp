// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "transport/net/block_pool.hpp"
#include "transport/net/inbound.hpp"
#include "transport/net/outbound.hpp"
#include "transport/net/peer.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::net {

/// One process's entries to and from all others over a wire: both halves and what they share. Used by one thread at a
/// time.
struct engine {
  /// `wire_used` outlives it; `l` is the same in all processes.
  engine(wire& wire_used, limits const& l)
      : line(wire_used),
        sizes(l),
        pool(l.payload),
        peers(line.size()),
        out(line, pool, sizes, peers),
        in(line, pool, sizes, peers, out) {}
  engine(engine const&) = delete;
  engine& operator=(engine const&) = delete;

  [[nodiscard]] send_lane& lane_to(std::uint32_t dest, traffic kind) {
    return peers[dest].out[static_cast<std::size_t>(kind)];
  }

  /// Looks for what has come.
  void poll() {
    in.poll();
    if (out.cutting()) out.progress();
  }

  /// What can wait until there is nothing else to do.
  void tidy() {
    in.acknowledge_all();
    if (!out.done()) out.progress();
  }

  /// Collective, after the last entry: returns when every process has called it and all that was taken has arrived.
  /// Entries that still come are dropped. Calls `rest(round)` between looks.
  template <class Rest>
  void finish(Rest rest) {
    finish_phase(rest, true);   // first: nobody has anything more to say
    finish_phase(rest, false);  // then: the last acknowledgements have left everybody
  }

  wire& line;
  limits const sizes;
  block_pool pool;
  std::vector<peer> peers;
  outbound out;
  inbound in;

 private:
  template <class Rest>
  void finish_phase(Rest& rest, bool acknowledge) {
    for (std::uint32_t round = 0; !out.done() || !line.all_arrived(); ++round) {
      poll();
      for (arrival a; acknowledge && in.deliver(wanted::all, a);) in.consumed(number(a.source), a.kind);
      if (acknowledge) in.acknowledge_all();
      out.progress();
      rest(round);
    }
  }
};

}  // namespace sheaf::net
