// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf::detail {

/// Processes of an MPI job on this host, as its launcher says; 0: it does not.
unsigned processes_here();

/// All processes of an MPI job, as its launcher says; 0: it does not.
unsigned processes();

/// The number of this process among those of its host, as the launcher says; 0 where it does not.
unsigned process_here();

}  // namespace sheaf::detail
