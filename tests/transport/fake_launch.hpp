// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Runs a job of MPI endpoints over a fake network, each location on a fiber of one thread; who runs next follows from
/// the seed.
#pragma once

#include <memory>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/fake_wire.hpp"
#include "transport/mpi/mpi_endpoint.hpp"
#include "transport/ring_memory.hpp"
#include "transport/sim/fiber.hpp"
#include "transport/sim/fiber_stacks.hpp"

namespace sheaf_test {

class fake_job {
 public:
  fake_job(sheaf::options const& o, sheaf::mpi::limits const& l, weather w, sheaf::location_body& body)
      : body_(body),
        network_(o.locations, o.seed, w, [this] { look(); }),
        rings_(o.locations, on_host(o.locations), w.host_slots),
        stacks_(o.locations, std::size_t{256} << 10),
        places_(o.locations) {
    for (std::uint32_t i = 0; i < o.locations; ++i) {
      constexpr sheaf::mpi::patience never_sleep{UINT32_MAX, 0};
      places_[i].job = this;
      places_[i].connection = std::make_unique<sheaf::mpi::mpi_endpoint>(network_.at(i), l, never_sleep, rings_.of(i));
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
    std::unique_ptr<sheaf::mpi::mpi_endpoint> connection;
    sheaf::detail::fiber flow;
  };

  void look() {
    if (network_.random(4) == 0) current_->flow.suspend();
  }

  static void run_location(void* argument) noexcept {
    place& p = *static_cast<place*>(argument);
    p.job->body_.run(*p.connection);
    try {
      p.connection->finish();
    } catch (sheaf::job_aborted const&) {  // the body knows
    }
  }

  sheaf::location_body& body_;
  fake_network network_;
  ring_memory rings_;
  sheaf::detail::fiber_stacks stacks_;
  std::vector<place> places_;
  place* current_ = nullptr;
};

}  // namespace sheaf_test
