// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <type_traits>

#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// Calls `f()` while no other thread of this process uses the MPI library. For a program's own MPI calls where several
/// threads of a process call MPI and MPI was started with less than MPI_THREAD_MULTIPLE. Local; any location and any
/// attached thread may call it. Meanwhile this process sends and receives nothing, so `f` must not wait for other
/// locations; it may call `with_mpi` itself. With one location per process and SHEAF_PROGRESS=inline, and without MPI,
/// it just calls `f`. Throws usage_error where only the first location of a process may call MPI (MPI_THREAD_FUNNELED)
/// and this is another one.
template <class F>
void with_mpi(F&& f) {
  using callable = std::remove_reference_t<F>;
  detail::location& here = detail::current("with_mpi");
  here.connection().with_mpi([](void* g) { static_cast<void>((*static_cast<callable*>(g))()); },
                             const_cast<void*>(static_cast<void const*>(&f)));
}

}  // namespace sheaf
