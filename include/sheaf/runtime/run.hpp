// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <type_traits>

#include "sheaf/base/options.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// A program threw on some location, or the job could not go on. The text names the location.
class job_failed : public error {
 public:
  using error::error;
};

namespace detail {

/// The program, type-erased: called once per location with the world.
struct program {
  int (*call)(void* context, team world);
  void* context;
};

/// The settings for main(). If they are not legal, this tells the other processes, which may wait for this one.
options settings_of_main();
/// What `automatic` stands for here; and over MPI, whether processes have several locations each.
transport_kind chosen_transport(options const& asked);
int run_program(options const& settings, program what);
int run_main(program what) noexcept;

/// What `start(program)` returns for f.
template <class F, class Start>
int with_program(F& f, Start start) {
  auto call = [&f]([[maybe_unused]] team world) -> int {
    if constexpr (std::is_invocable_r_v<int, F&, team>) {
      return f(world);
    } else if constexpr (std::is_invocable_v<F&, team>) {
      f(world);
    } else if constexpr (std::is_invocable_r_v<int, F&>) {
      return f();
    } else {
      static_assert(std::is_invocable_v<F&>,
                    "sheaf::run: the program must be callable as f(), or as f(sheaf::team world)");
      f();
    }
    return 0;
  };
  return start(program{[](void* of, team world) { return (*static_cast<decltype(call)*>(of))(world); }, &call});
}

}  // namespace detail

/// Runs `f(world)` or `f()` on every location of a job (SPMD) and ends with a fence of the world. With threads and in
/// the simulator all locations call the same `f`: it must protect what it captures and writes. Returns the largest of
/// the results (0 for void). Throws option_error before anything starts, job_failed when a location's program threw.
int run(options const& settings, auto&& f) {
  return detail::with_program(f, [&](detail::program what) { return detail::run_program(settings, what); });
}

/// Runs a job from main(): settings from the SHEAF_* variables; errors go to stderr and become exit code 1. Under
/// mpirun or srun each process is one location, or options::threads of them; otherwise locations are threads.
int run(auto&& f) {
  return detail::with_program(f, [](detail::program what) { return detail::run_main(what); });
}

}  // namespace sheaf
