// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "transport/host/host_map.hpp"
#include "transport/net/roll_call.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::net {

/// The processes of this host that share memory, and where.
struct sharing {
  std::vector<std::uint32_t> ranks;  ///< in ascending order, this one among them; empty: it shares none
  host::host_map map;                ///< the places in it are those in `ranks`
};

/// Collective. A host shares memory where all its processes want to (presence::host_memory) and can; else the first one
/// that wants to says why it does not. Each process's segment begins with `root_bytes`.
sharing share_memory(bootstrap& job, std::span<presence const> all, std::size_t root_bytes);

/// The ranks of those that are to share memory with `self`, itself among them; empty where they share none.
std::vector<std::uint32_t> sharers(std::span<presence const> all, std::uint32_t self);

/// What the first of those who want to share, and do not, says; empty: it is not this one, or there is nothing to say.
/// `problem`: what host_map says, naming a rank.
std::string text_of_apart(std::span<presence const> all, std::uint32_t self, std::string const& problem);

/// Which process of this host has ended; empty: none.
std::string text_of_lost(sharing const& host, std::span<presence const> all);

}  // namespace sheaf::net
