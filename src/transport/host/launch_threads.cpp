// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <memory>
#include <vector>

#include "base/machine.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/host/crew.hpp"
#include "transport/host/host_endpoint.hpp"

namespace sheaf {
namespace {

/// The cores to bind to, one each; empty: the threads float.
std::vector<int> cores_for(options const& settings) {
  if (!settings.pin || settings.locations == 1 || settings.locations > detail::usable_cores()) return {};
  return detail::allowed_cores();
}

}  // namespace

void launch_threads(options const& settings, location_body& body) {
  host::host_job job(settings);
  // Each is made by its own thread, and outlives all threads.
  std::vector<std::unique_ptr<host::host_endpoint>> endpoints(settings.locations);
  auto const play = [&](std::uint32_t i) {
    endpoints[i] = std::make_unique<host::host_endpoint>(location_id{i}, job);
    body.run(*endpoints[i]);
  };
  host::play_together(settings.locations, cores_for(settings), play, "SHEAF_LOCATIONS");
}

}  // namespace sheaf
