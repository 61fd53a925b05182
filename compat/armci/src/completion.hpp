// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "process.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_armci {

constexpr int nothing_open = -1;
constexpr int several_open = -2;

/// Notes in the handle, if there is one, that an operation for the process has begun. A handle that was never
/// initialised stands for several: waiting for it waits for all.
inline void note(armci_hdl_t* handle, int process) noexcept {
  if (handle == nullptr) return;
  handle->target = handle->target == nothing_open || handle->target == process ? process : several_open;
}

}  // namespace sheaf_armci
#pragma GCC visibility pop
