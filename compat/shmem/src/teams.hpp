// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "process.hpp"

/// What a shmem_team_t points to.
struct shmem_team {
  std::optional<sheaf::team> members;
};

#pragma GCC visibility push(hidden)
namespace sheaf_shmem {

/// Throws nothing; ends the job where the team is invalid.
sheaf::team const& members_of(char const* function, shmem_team_t team);
/// The active set of PEs start, start + 2^log_stride, …; its members make it when they first meet in it.
sheaf::team const& members_of(char const* function, int start, int log_stride, int size);

}  // namespace sheaf_shmem
#pragma GCC visibility pop
