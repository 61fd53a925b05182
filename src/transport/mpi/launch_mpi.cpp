// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <string>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/mpi/mpi_endpoint.hpp"
#include "transport/mpi/roll_call.hpp"
#include "transport/mpi/wire_loader.hpp"

namespace sheaf {
namespace {

/// A packet takes a whole buffer of up to 1 MiB, and 4 KiB at least; larger entries are cut. About 2 MiB of receives
/// are posted, 8 to 32 of them.
mpi::limits limits_for(options const& settings) {
  constexpr std::size_t smallest_payload = std::size_t{4} << 10;
  constexpr std::size_t largest_payload = std::size_t{1} << 20;
  constexpr std::size_t posted_bytes = std::size_t{2} << 20;
  mpi::limits l;
  l.payload = std::clamp<std::size_t>(settings.buffer_bytes, smallest_payload, largest_payload);
  l.receives = static_cast<std::uint32_t>(std::clamp<std::size_t>(posted_bytes / l.payload, 8, 32));
  l.ring_slots = settings.ring_slots;
  l.window = settings.window;
  return l;
}

/// Empty polls before a location yields its core where there is one for each and the user has not said.
constexpr unsigned usual_spins = 2000;

}  // namespace

void launch_mpi(options const& settings, location_body& body) {
  mpi::wire_ptr const line = mpi::load_wire(settings.mpi_library);
  mpi::limits const limits = limits_for(settings);
  std::vector<mpi::presence> const all = mpi::call_roll(*line, mpi::own_presence(limits));
  std::string const problem = mpi::disagreement(all);
  if (!problem.empty()) throw option_error("sheaf: " + problem);
  if (settings.locations != 0 && settings.locations != line->size()) {
    throw option_error("sheaf: SHEAF_LOCATIONS=" + std::to_string(settings.locations) +
                       " but the MPI launcher started " + std::to_string(line->size()) +
                       " processes: unset it, or start that many");
  }

  unsigned const spins = mpi::crowded(all, line->rank()) ? 0 : usual_spins;
  unsigned const looks = settings.spin_polls != 0 ? settings.spin_polls : spins;
  mpi::patience const patience{(looks + mpi::looks_per_spin - 1) / mpi::looks_per_spin, settings.yield_polls};
  mpi::mpi_endpoint connection(*line, limits, patience);
  body.run(connection);
  connection.finish();
}

}  // namespace sheaf
