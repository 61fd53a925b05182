// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstring>
#include <vector>

#include "transport/fake_wire.hpp"
#include "transport/net/gateway.hpp"

namespace sheaf_test {

inline constexpr sheaf::net::limits ordinary = {4096 + sheaf::net::slice::header_bytes, 8, 64, 8};

/// As process 1 to process 0.
inline void send_bytes(sheaf::net::engine& other, std::vector<std::byte> const& bytes) {
  sheaf::buffer packet = other.take(bytes.size());
  std::memcpy(packet.data(), bytes.data(), bytes.size());
  packet.set_size(bytes.size());
  other.send(0, std::move(packet));
}

inline std::vector<std::byte> packet_of(sheaf::net::slice const& s, std::size_t bytes) {
  std::vector<std::byte> all(sheaf::net::slice::header_bytes + bytes);
  s.write(all.data());
  return all;
}

/// One process of two locations, played by one thread.
struct lone_process {
  explicit lone_process(fake_network& net, unsigned mpi_every = 0)
      : lone_process(net.processes(0), net.at(0), mpi_every) {}
  lone_process(sheaf::net::bootstrap& all, sheaf::net::wire& line, unsigned mpi_every = 0,
               sheaf::net::limits const& sizes = ordinary)
      : siblings(settings(mpi_every)), gate(all, line, sizes, siblings) {}
  static sheaf::options settings(unsigned mpi_every) {
    sheaf::options o;
    o.transport = sheaf::transport_kind::hybrid;
    o.threads = 2;
    o.mpi_every = mpi_every;
    o.spin_polls = 64;  // who spins neither yields nor sleeps, whatever else the machine does
    o = o.resolved();
    o.locations = 2;
    return o;
  }
  sheaf::host::host_job siblings;
  sheaf::net::gateway gate;
};

}  // namespace sheaf_test
