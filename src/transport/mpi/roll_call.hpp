// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "transport/mpi/peer.hpp"
#include "transport/mpi/wire.hpp"

namespace sheaf::mpi {

/// What each process tells all others before the first packet.
struct presence {
  std::uint64_t build = 0;
  std::uint64_t payload = 0;
  std::uint32_t ring_slots = 0;
  std::uint32_t window = 0;
  std::uint32_t process = 0;
  std::uint32_t threads = 1;  ///< locations
  char host[64] = {};
  cpu_set_t cores = {};
};

/// This process, with the build_identity of its program.
presence own_presence(limits const& l, std::uint32_t threads = 1);

/// Collective: everybody's presence, by location.
std::vector<presence> call_roll(wire& line, presence const& own);

/// What keeps these processes from working together, naming the first pair that differs; empty: nothing.
std::string disagreement(std::span<presence const> all);

/// Whether the locations on the host of process `self` outnumber the cores that they may use together.
bool crowded(std::span<presence const> all, std::uint32_t self);

/// The core for each location of process `self`. The locations that may use the same cores share them evenly, those of
/// a process side by side: so where there are enough, none shares its core, and else those do that are near each other.
/// Empty where the processes may use sets of cores that overlap and are not the same.
std::vector<int> own_cores(std::span<presence const> all, std::uint32_t self);

}  // namespace sheaf::mpi
