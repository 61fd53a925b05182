// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"
#include "transport/net/credit.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::net {

/// What each process tells all others before the first packet.
struct presence {
  std::uint64_t build = 0;
  std::uint64_t buffer_bytes = 0;   ///< the setting; a packet's size follows from it
  std::uint64_t buffer_budget = 0;  ///< the setting, as is `window`; a pair's window follows from both
  std::uint32_t traced = 0;         ///< whether a trace is recorded
  std::uint32_t statistics = 0;     ///< whether they are printed at the end
  std::uint32_t ring_slots = 0;
  std::uint32_t window = 0;
  std::uint32_t process = 0;
  std::uint32_t threads = 1;          ///< locations
  std::uint32_t heartbeat_limit = 0;  ///< the setting
  std::uint32_t fence_form = 0;       ///< a fence_form_kind; as resolved on the process's host, like the next
  std::uint32_t tree_arity = 0;
  std::uint32_t host_memory = 0;  ///< whether it is to be shared
  std::uint32_t refuses = 0;      ///< whether it cannot take part, as it says next
  char host[64] = {};
  cpu_set_t cores = {};
};

/// This process, with the build_identity of its program.
presence own_presence(limits const& l, std::size_t buffer_bytes, std::uint32_t threads = 1);

/// "(host h, process p)".
std::string host_and_process(presence const& p);

/// "location 2 (host h, process p)", or "locations 4 to 7 (…)": those of a process.
std::string locations_of(std::span<presence const> all, std::uint32_t process);

bool same_host(presence const& a, presence const& b);

/// Collective: everybody's presence, by rank. `problem` is what keeps this process from taking part; empty: nothing.
/// Where a process has one, all throw option_error: those that have one with their own, the others with that process
/// and its problem.
std::vector<presence> call_roll(bootstrap& job, presence own, std::string const& problem = {});

/// What keeps these processes from working together, naming the first pair that differs; empty: nothing.
std::string disagreement(std::span<presence const> all);

/// `settings` with the form and arity of collectives that all processes take: their hosts may suggest different ones.
/// The tree and the larger arity, which are for crowded hosts, go before the others.
options agreed(options settings, std::span<presence const> all);

/// Whether the locations on the host of process `self` outnumber the cores that they may use together.
bool crowded(std::span<presence const> all, std::uint32_t self);

/// The core for each location of process `self`. The locations that may use the same cores share them evenly, those of
/// a process side by side: so where there are enough, none shares its core, and else those do that are near each other.
/// Empty where the processes may use sets of cores that overlap and are not the same.
std::vector<int> own_cores(std::span<presence const> all, std::uint32_t self);

}  // namespace sheaf::net
