// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/host/host_job.hpp"
#include "transport/net/engine.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::net {

/// The processes of this host that share memory.
struct neighbours {
  std::vector<std::uint32_t> ranks = {};        ///< in ascending order, this one among them; empty: it has none
  std::vector<host::process_root*> roots = {};  ///< theirs
  host_memory* own = nullptr;                   ///< mapped by all of them
  std::function<std::string()> lost = {};       ///< which of the others has ended before the job, in a sentence

  [[nodiscard]] std::unique_ptr<host::host_job> job(options const& local, std::uint32_t self) const;
};

/// Plays the locations of one process, a thread each, and returns when everybody's have returned. `local.locations` is
/// their number, `cores` where to bind them (empty: they float). Calls `finishing` when those of this process have
/// returned, before the others may leave; what that gives is called again and again until all leave.
void play_process(bootstrap& job, wire& line, limits const& sizes, options const& local, std::vector<int> const& cores,
                  location_body& body, std::function<std::function<void()>(engine&)> const& finishing,
                  neighbours const& near = {});

}  // namespace sheaf::net
