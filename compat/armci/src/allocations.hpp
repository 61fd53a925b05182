// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>

#pragma GCC visibility push(hidden)
namespace sheaf_armci {

/// Memory that the processes of the host share, of this process until it gives it back. 0 bytes: null. Throws
/// std::bad_alloc.
void* take(std::size_t bytes);
void* take_zeros(std::size_t bytes);
/// Ends the job where the pointer is not what `take` has returned. Null: nothing.
void give_back(char const* function, void* memory);

}  // namespace sheaf_armci
#pragma GCC visibility pop
