// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Runs a job over a fake network, each location a process of its own on a fiber of one thread; who runs next follows
/// from the seed.
#pragma once

#include <memory>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/fake_host.hpp"
#include "transport/fake_wire.hpp"
#include "transport/net/net_endpoint.hpp"
#include "transport/sim/fiber.hpp"

namespace sheaf_test {

/// The settings of one process of such a job.
inline sheaf::options of_one_process(sheaf::net::limits const& l) {
  sheaf::options o;
  o.transport = sheaf::transport_kind::mpi;
  o.mpi_every = 1;
  o = o.resolved();
  o.locations = 1;
  o.spin_polls = UINT32_MAX;  // never sleeps
  o.ring_slots = l.ring_slots;
  o.window = l.window;
  o.near_buffer_bytes = o.buffer_bytes = l.payload;
  return o;
}

/// One location that is a process.
struct lone_location {
  lone_location(fake_network& net, std::uint32_t rank, sheaf::net::limits const& l, fake_host const& host,
                sheaf::options const& o)
      : shared(host.of(rank).job(o, rank)),
        where(net.processes(rank).size(), 1, host.of(rank).ranks, rank),
        gate(net.processes(rank), net.at(rank), l, *shared),
        connection(*(outlives = std::make_unique<sheaf::net::net_endpoint>(0, *shared, where, gate))) {}
  lone_location(fake_network& net, std::uint32_t rank, sheaf::net::limits const& l, fake_host const& host = {})
      : lone_location(net, rank, l, host, of_one_process(l)) {}
  ~lone_location() { connection.close(); }  // what came is in the gateway's blocks

  std::unique_ptr<sheaf::host::host_job> shared;
  sheaf::net::locality where;
  std::unique_ptr<sheaf::net::net_endpoint> outlives;  // what the gateway holds of its blocks
  sheaf::net::gateway gate;
  sheaf::net::net_endpoint& connection;
};

class fake_job {
 public:
  fake_job(sheaf::options const& o, sheaf::net::limits const& l, weather w, sheaf::location_body& body)
      : body_(body),
        network_(o.locations, o.seed, w, [this] { look(); }),
        host_(o.locations, w.shares ? on_host(o.locations) : 0, 1),
        stacks_(o.locations, std::size_t{256} << 10),
        places_(o.locations) {
    for (std::uint32_t i = 0; i < o.locations; ++i) {
      places_[i].job = this;
      places_[i].location = std::make_unique<lone_location>(network_, i, l, host_);
      places_[i].flow.prepare(stacks_.stack(i), run_location, &places_[i]);
    }
  }

  void run() {
    std::vector<place*> going;
    for (place& p : places_) going.push_back(&p);
    while (!going.empty()) {
      std::size_t const next = network_.random(going.size());
      current_ = going[next];
      current_->flow.resume();
      if (current_->flow.ended()) going.erase(going.begin() + static_cast<std::ptrdiff_t>(next));
    }
  }

 private:
  struct place {
    fake_job* job = nullptr;
    std::unique_ptr<lone_location> location;
    sheaf::detail::fiber flow;
  };

  void look() {
    if (network_.random(4) == 0) current_->flow.suspend();
  }

  static void run_location(void* argument) noexcept {
    place& p = *static_cast<place*>(argument);
    p.job->body_.run(p.location->connection);
    try {
      p.location->connection.close();
      p.location->gate.finish([](std::uint32_t) {});
    } catch (sheaf::job_aborted const&) {  // the body knows
    }
  }

  sheaf::location_body& body_;
  fake_network network_;
  fake_host host_;
  sheaf::detail::fiber_stacks stacks_;
  std::vector<place> places_;
  place* current_ = nullptr;
};

}  // namespace sheaf_test
