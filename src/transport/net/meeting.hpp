// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"
#include "transport/net/credit.hpp"
#include "transport/net/roll_call.hpp"
#include "transport/net/sharing.hpp"
#include "transport/net/wire_loader.hpp"

namespace sheaf::net {

/// The processes of a job that have met and fit together.
struct meeting {
  bootstrap_ptr job;
  wire_ptr line;
  limits sizes;
  std::vector<presence> all;
  sharing host;

  /// Empty polls before a location yields its core: the user's number, or none where locations outnumber the cores of
  /// their host.
  [[nodiscard]] unsigned spins(options const& settings) const;
};

/// The sizes of a job. A packet takes a whole buffer of up to 1 MiB with its slice's header and an acknowledgement
/// behind it, and 4 KiB at least; larger
/// ones are cut. About 2 MiB of receives are posted, 8 to 32 of them. What all locations may have sent to those of one
/// process fits into half of its budget, down to one buffer for each pair, which no job goes without: where those
/// alone are more, they are what may be under way.
limits limits_for(options const& settings, std::uint32_t processes);

/// How many locations each process has.
std::uint32_t threads_of(options const& settings);

/// Collective. Loads the wire and compares the processes. Throws option_error in all of them where they do not fit
/// together, or one has a problem. In the memory that the processes of a
/// host share each has `root_bytes`.
meeting meet(options const& settings, thread_level level, std::size_t root_bytes);

/// What keeps this process from taking part: MPI lets fewer threads call it than the settings need, or the launcher has
/// started another number of processes. Empty: nothing.
std::string problem_of(bootstrap const& job, options const& settings);

/// Calls `f` where the processes have met, so that others may wait for this one: an exception ends the job, with a line
/// that names this process.
void or_end_job(meeting const& job, std::function<void()> const& f);

}  // namespace sheaf::net
