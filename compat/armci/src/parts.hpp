// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What has a begin and an end with the job, in the order of ARMCI_Init.
#pragma once

#include <armci.h>

#pragma GCC visibility push(hidden)
namespace sheaf_armci {

/// Fills what follows from the communicator. Local.
void describe_group(ARMCI_Group& group);

// Collective.
void begin_domains();
void end_domains();
void begin_notes();
void end_notes();
void end_mutexes();

/// Gives back what the program has not. Local.
void end_allocations();

}  // namespace sheaf_armci
#pragma GCC visibility pop
